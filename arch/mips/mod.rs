//! What the MIPS families share: the registers of coprocessor 0, by number and select, and the processor's identification.

mod cp0;
pub mod mipsxx;
mod prid;

pub use cp0::Cp0;
pub use prid::Prid;
