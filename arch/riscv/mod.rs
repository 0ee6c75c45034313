//! RISC-V: the control and status registers of its unit, by number, and the processor's identification.

#[cfg(any(target_arch = "riscv32", target_arch = "riscv64", docsrs))]
pub mod access;
mod csr;
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64", docsrs))]
pub mod entry;
pub mod hpm;
mod part;
mod sbi;

pub use csr::Csr;
pub use part::Part;
