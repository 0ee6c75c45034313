//! RISC-V: the control and status registers of its unit, by number, and the processor's identification.

mod csr;
pub mod hpm;
mod part;

pub use csr::Csr;
pub use part::Part;
