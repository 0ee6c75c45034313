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
/// The driver of the unit that this processor has: all of these processors' are of one family.
#[cfg(target_arch = "powerpc64")]
pub use powerpc::book3s::{Book3s as Detected, detect};
/// The driver of whichever unit this processor has.
#[cfg(target_arch = "powerpc")]
pub use powerpc::{Detected, detect};
/// The driver of whichever unit this processor has.
#[cfg(target_arch = "x86_64")]
pub use x86::{Detected, detect};
