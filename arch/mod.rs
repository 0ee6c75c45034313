//! The processors: each family has registers, events, a driver and a device.
//!
//! # The driver of this processor
//!
//! `detect` finds out which unit the processor has, and creates a driver that uses the processor's instructions. A kernel
//! claims its [`Unit`](crate::Unit) with that driver. `Driver<K>` is the driver's type, where `K` is the kernel's
//! [`Kernel`](crate::Kernel). Both have the same name on each of these targets:
//!
//! | target | `Driver<K>` is for | `detect` takes |
//! |---|---|---|
//! | x86-64 | Intel and AMD; a Pentium 4 is refused by an error that names [`x86::Detected`] | the kernel |
//! | x86 of 32 bits | Pentium, P6 family, Pentium 4, K7 and later | the kernel |
//! | AArch64 | PMUv3 | the kernel |
//! | PowerPC of 64 bits | 970, POWER4 to POWER10, Microwatt | the kernel |
//! | PowerPC of 32 bits | 604 to 7448, e300, e500, e500mc | the kernel |
//! | SPARC V9 | UltraSPARC I to IV+, and T1 to T3 without a hypervisor above the kernel | the kernel |
//! | MIPS | every unit of [`mips`], in kernel mode | the kernel |
//! | LoongArch of 64 bits | [`loongarch::la64`], at PLV0 | the kernel |
//! | RISC-V | what the firmware offers a supervisor ([`riscv::hpm::sbi`]); a kernel in machine mode names [`riscv::hpm`] | the kernel, and what the device tree announces |
//!
//! On docs.rs, `detect` and `Driver` are those of the platform that the menu shows.
//!
//! On x86 the driver has no interrupt line until it is given one (`with_line`), and so a kernel that only counts gets no NMI.
//! On the others a driver needs no line: the interrupt is the processor's own, or the kernel enables it at its controller.
//!
//! A kernel that wants less code, another line or a share of a unit names the family's driver, over the `Hardware` that it
//! claims. `Detected::detect` of each architecture is generic over the registers, for tests on a host.
//!
//! Every family compiles on every host, so that drivers and devices are tested anywhere. Only
//! `access`, the instructions that access real registers, and `entry` are for one architecture.

pub mod aarch64;
#[cfg(test)]
mod families;
pub mod loongarch;
pub mod mips;
pub mod powerpc;
pub mod riscv;
pub mod sparc;
#[cfg(test)]
mod steps;
pub mod x86;

#[cfg(target_arch = "aarch64")]
pub use aarch64::access::door::{Driver, detect};
#[cfg(target_arch = "loongarch64")]
pub use loongarch::access::door::{Driver, detect};
#[cfg(all(any(target_arch = "mips", target_arch = "mips64"), feature = "nightly"))]
pub use mips::access::door::{Driver, detect};
#[cfg(any(target_arch = "powerpc", target_arch = "powerpc64"))]
pub use powerpc::access::door::{Driver, detect};
#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
pub use riscv::access::door::{Driver, detect};
#[cfg(all(target_arch = "sparc64", feature = "nightly"))]
pub use sparc::access::door::{Driver, detect};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub use x86::access::door::{Driver, detect};

/// The README's code is compiled and run with the documentation's. A kernel's part of it is for x86-64.
#[cfg(all(doctest, target_arch = "x86_64"))]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
