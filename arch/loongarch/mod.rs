//! LoongArch: the registers of its unit and of their detection.

#[cfg(any(target_arch = "loongarch64", docsrs))]
pub mod access;
pub mod la64;
mod register;

pub use register::Register;
