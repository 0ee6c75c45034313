//! The processors: each family has registers, events, a driver and a device.
//!
//! Every family compiles on every host, so that drivers and devices are tested anywhere. Only
//! `access`, the instructions that access real registers, and `entry` are for one architecture.

pub mod aarch64;
pub mod mips;
pub mod powerpc;
pub mod riscv;
pub mod sparc;
#[cfg(test)]
mod steps;
pub mod x86;

/// The driver of this processor's unit, whichever family it is of.
#[cfg(target_arch = "aarch64")]
pub use aarch64::{Detected, detect};
/// The driver of this processor's unit. These processors have one family of units.
#[cfg(target_arch = "powerpc64")]
pub use powerpc::book3s::{Book3s as Detected, detect};
/// The driver of this processor's unit, whichever family it is of.
#[cfg(target_arch = "powerpc")]
pub use powerpc::{Detected, detect};
/// The driver of this processor's unit, whichever family it is of.
#[cfg(target_arch = "sparc64")]
pub use sparc::{Detected, detect};
/// The driver of this processor's unit, whichever family it is of.
#[cfg(target_arch = "x86")]
pub use x86::detect32::{Detected, detect};
/// The driver of this processor's unit, whichever family it is of.
#[cfg(target_arch = "x86_64")]
pub use x86::{Detected, detect};

/// The README's code is compiled and run with the documentation's. A kernel's part of it is for x86-64.
#[cfg(all(doctest, target_arch = "x86_64"))]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
