//! The processors: each family is registers, events, driver, device.
//!
//! Every family compiles on every host, so that drivers and devices are tested anywhere. Only
//! the instructions that reach real registers are for one architecture alone.

pub mod aarch64;
pub mod powerpc;
pub mod x86;

/// The driver of whichever unit this processor has.
#[cfg(target_arch = "aarch64")]
pub use aarch64::{Detected, detect};
/// The driver of whichever unit this processor has.
#[cfg(target_arch = "x86_64")]
pub use x86::{Detected, detect};
