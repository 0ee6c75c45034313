//! What the MIPS families share: the registers of coprocessor 0, by number and select, and the processor's identification.

#[cfg(any(all(any(target_arch = "mips", target_arch = "mips64"), feature = "nightly"), docsrs))]
pub mod access;
mod cp0;
mod line;
pub mod mipsxx;
mod prid;

pub use cp0::Cp0;
pub use line::Line;
pub use prid::Prid;
