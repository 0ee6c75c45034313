//! The unit of Loongson's processors of 64 bits (LA64): 3A5000, 3A6000, 3C6000 and others.
//!
//! All have the same registers and, as far as is known, the same events; CPUCFG says how many counters there are and how wide.
//! LoongArch of 32 bits has other events, and is not supported.
//!
//! Sources: "LoongArch Reference Manual, volume 1", which describes the registers and lists no events; torvalds/linux
//! arch/loongarch/kernel/perf_event.c, which has these events alone. No processor has confirmed any of it to this crate.
//!
//! # The interrupt
//!
//! A counter interrupts while its top bit and its configuration's PMIEn are set, by an ordinary interrupt of its own
//! ([`Capabilities::INTERRUPT`]). The line is a level and nothing latches it, so no interrupt comes after its overflow was
//! accounted for.
//!
//! # Modes
//!
//! User programs are counted at PLV3 and PLV2, the kernel at PLV0, as Linux does. PLV1, which Linux counts as a hypervisor's,
//! is not counted.
//!
//! # Codes of events
//!
//! A code is the number in PMCFG\[EvCode\], of ten bits. Every counter has every event. There is no auxiliary value.
//!
//! # Limits
//!
//! The driver uses the first four counters of a unit that has more. User programs cannot read a counter: that needs
//! MISC\[RPCNTL3\], which is no register of the unit, and no source was found that has tried it. What a unit does with
//! PMCFG\[22:21\], which belong to the virtualisation extension, is not known: they are written 0.

mod capabilities;
mod catalogue;
mod device;
mod driver;
mod encode;
mod events;
mod identity;
mod registers;

pub use capabilities::Capabilities;
pub use device::Device;
pub use driver::La64;
pub use identity::Identity;
pub use registers::Pmcfg;
