//! Control transfer records (Smctr and Ssctr): the last 16 to 256 branches that a hart took.
//!
//! A kernel in machine mode or in supervisor mode has them beside whichever driver counts: [`Hpm`](super::Hpm), or the
//! firmware's ([`sbi`](super::sbi)). They have registers of their own, and the interrupt LCOFI alone in common with the counters:
//! it freezes them, if they are told so.
//!
//! # Detection
//!
//! No register announces the extension, and an access to a register that does not exist is an exception. So the kernel is told
//! by a device tree (`smctr`, `ssctr`) or ACPI, and [`Ctr::detect`] finds out the rest by trying: the depth, the kinds of
//! branches that can be left out, and whether mispredictions are recorded. A kernel in supervisor mode needs its firmware to
//! have set bits 54 (CTR) and 60 (CSRIND) of mstateen0, where that exists (Smstateen); OpenSBI 1.5 leaves bit 54 clear.
//!
//! # Modes
//!
//! In machine mode the kernel's branches are those of machine mode and of supervisor mode. A trap from a mode that is not
//! recorded has the address 0 before it; a trap to one is not recorded.
//!
//! # Limits
//!
//! - Where registers have 32 bits, the bits that leave kinds of branches out cannot be reached, and a filter of kinds is refused.
//! - Cycles are exact below 8,192, then rounded down to 13 significant bits, and at most 134,201,344. The first branch after a
//!   start has none.
//! - QEMU 10 counts no cycles, and takes every branch for predicted.
//! - The emulation of a return-address stack (RASEMU) is not used. Traps to a mode that is not recorded (STE, MTE) are not
//!   asked for.
//! - A guest's own records (vsctrctl) are not provided.

mod device;
mod driver;
mod registers;

pub use device::Device;
pub use driver::Ctr;
pub use registers::Register;
