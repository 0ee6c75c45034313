//! Drivers for performance-monitoring units that need no operating system, no allocator and no lock.
//!
//! A processor counts what it does: instructions, cycles, branches, misses. This crate programs
//! the registers that make it count, on bare metal, and handles the interrupt on every n-th event,
//! from which profiles are made. It is for kernels that embed it, for their tests in
//! an emulator, and for hypervisors that give their guests a unit of their own.
//!
//! Begin with [`guide::kernel`] if you write a kernel, and with [`guide::hypervisor`] if you have guests.
//!
//! # Drivers and devices
//!
//! ```text
//!         driver  ──────────►  Registers  ◄──────────  device
//!    (programs the unit)    (one small trait)     (is the unit, in software)
//! ```
//!
//! A driver does not know what implements [`Registers`]: the processor's instructions,
//! a [`Recorder`], or a [`virt::Device`] that models the same unit register by register. So every
//! driver runs, and is tested, on every host; and a hypervisor can give its guest the device that the drivers
//! are tested with.
//!
//! # Counting
//!
//! A kernel keeps one [`Unit`] for each CPU. On that CPU it claims the unit with a driver, and then
//! opens a [`Session`] for each measurement, or counts a closure. This is the same on every architecture, but for what
//! [`arch`]'s `detect` takes on RISC-V:
//!
//! ```no_run
//! # #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
//! # mod kernel {
//! use pmu::arch::{Driver, detect};
//! use pmu::{CpuId, Event, Kernel, Unit};
//!
//! static UNIT: Unit<Driver<Mine>, 0> = Unit::new();
//!
//! #[derive(Clone, Copy)]
//! struct Mine;
//!
//! impl Kernel for Mine {
//!     fn cpu(&self) -> CpuId {
//!         CpuId(0) // your kernel knows
//!     }
//! }
//!
//! fn count(work: impl FnOnce()) -> pmu::Result<[u64; 2]> {
//!     // SAFETY: the kernel's own mode; nobody else programs this CPU's unit; its interrupt, if enabled, has a handler.
//!     let pmu = UNIT.claim(unsafe { detect(Mine) }?)?;
//!     let (counts, ()) = pmu.count([Event::INSTRUCTIONS, Event::CYCLES], work)?;
//!     Ok(counts)
//! }
//! # }
//! ```
//!
//! On a host there are no such instructions. This example uses a unit in software:
//!
//! ```
//! use pmu::arch::x86::Unattached;
//! use pmu::arch::x86::intel::{Device, Identity, Intel};
//! use pmu::virt::{Device as _, Kinds, Unconnected, Work};
//! use pmu::{Event, Mode, Unit};
//!
//! let skylake = Identity::SKYLAKE;
//! let device = Device::new(&skylake, Kinds::CLOCK, Unconnected);
//! let work = || device.advance(&Work::instructions(Mode::Kernel, 1000));
//!
//! let unit = Unit::<Intel<_, _>, 0>::new();
//! let pmu = unit.claim(Intel::detect(&skylake, &device, Unattached)?)?;
//! let ([instructions, cycles], ()) = pmu.count([Event::INSTRUCTIONS, Event::CYCLES], work)?;
//! assert_eq!((instructions, cycles), (1000, 1000));
//! # Ok::<(), pmu::Error>(())
//! ```
//!
//! # Sampling
//!
//! A [`Request`] with [`Request::every`] interrupts on every n-th event. The kernel's overflow
//! handler, usually that of an NMI, calls [`Unit::on_overflow`], a plain function. A thread reads the
//! [`Sample`]s from [`Unit::samples`], and those that were lost are counted in [`Lost`]. A
//! [`profile::Profile`] adds samples up, [`report`] prints them, and [`perf_data`] writes them for Linux'
//! `perf report`. Where there is no overflow interrupt, a [`Timer`] samples on the kernel's tick.
//! [`chain`] records the callers of the code that was sampled.
//!
//! # Modules
//!
//! The portable modules, each of which imports only from those before it:
//!
//! | module | contains |
//! |---|---|
//! | `event` | events and requests: [`Event`], [`Request`], [`Set`], [`Catalogue`] |
//! | `sync` | words that a thread and the interrupt share: [`Word`] |
//! | `contract` | what a processor's driver implements: [`Registers`]; [`Plan`], [`Counters`] and [`Control`] |
//! | [`placement`] | the assignment of requests to counters |
//! | `family` | what the processors' families have alike |
//! | `sample` | what the interrupt records: [`Samples`], [`chain`] |
//! | `unit` | the unit of a CPU, its owner and its interrupt: [`Unit`], [`Pmu`], [`Handled`] |
//! | [`stats`] | statistics of many measurements |
//! | `measure` | counting a CPU ([`Session`]), a thread ([`Context`]), groups in rotation ([`Multiplex`]), in a program ([`UserPage`]), and the tick ([`Timer`]) |
//! | `naming` | requests as text: [`notation`], [`native`] |
//! | `result` | output: [`perfex`], [`profile`], [`report`], [`perf_data`] |
//!
//! None of them names a processor. [`arch`] has the processors: each family has registers, events, a
//! driver and a device. [`virt`] has the trait of the devices.
//!
//! `unsafe` is used only where instructions are, in `access.rs` and `entry.rs` of an architecture. The user
//! writes it once, to call [`arch`]'s `detect`, or the family's `Hardware::claim`.

#![cfg_attr(not(test), no_std)]
#![cfg_attr(feature = "nightly", feature(asm_experimental_arch))]
#![cfg_attr(docsrs, feature(doc_cfg), doc(auto_cfg(hide(docsrs, target_has_atomic = "ptr"))))]

// The modules are left out then, so that this is the only error.
#[cfg(not(target_has_atomic = "ptr"))]
compile_error!(
    "pmu needs a processor with compare-and-swap, because an interrupt shares words with what it interrupts: target_has_atomic = \"ptr\""
);

#[cfg(target_has_atomic = "ptr")]
mod contract;
#[cfg(target_has_atomic = "ptr")]
mod event;
#[cfg(target_has_atomic = "ptr")]
mod family;
#[cfg(target_has_atomic = "ptr")]
pub mod guide;
#[cfg(target_has_atomic = "ptr")]
mod measure;
#[cfg(target_has_atomic = "ptr")]
mod naming;
#[cfg(target_has_atomic = "ptr")]
pub mod placement;
#[cfg(target_has_atomic = "ptr")]
mod result;
#[cfg(target_has_atomic = "ptr")]
mod sample;
#[cfg(target_has_atomic = "ptr")]
pub mod stats;
#[cfg(target_has_atomic = "ptr")]
mod sync;
#[cfg(target_has_atomic = "ptr")]
mod unit;
#[cfg(target_has_atomic = "ptr")]
pub mod virt;

#[cfg(target_has_atomic = "ptr")]
#[path = "../arch/mod.rs"]
pub mod arch;

#[cfg(target_has_atomic = "ptr")]
pub use contract::{
    Access, Control, Counter, Counters, Description, Driver, Field, Image, Kernel, Kind, Late, Lending, Masked, OneCpu,
    Overflow, Plan, Recorder, Registers, Slot, Steps, WithKernel, counters_for,
};
#[cfg(target_has_atomic = "ptr")]
pub use event::{
    Catalogue, Conflict, Contention, CounterId, CounterSet, CpuId, Error, Event, Flag, Flags, Full, Generic, Mode,
    Modes, Refusal, Remaining, Repeat, Request, Requests, Result, Sampling, Set, Subcode, Width, catalogue,
};
#[cfg(target_has_atomic = "ptr")]
pub use measure::{
    Context, Counts, Feeder, GroupRefused, Mediated, Member, Multiplex, Reader, Scaled, Session, Timer, UserPage,
};
#[cfg(target_has_atomic = "ptr")]
pub use naming::{native, notation};
#[cfg(target_has_atomic = "ptr")]
pub use result::{perf_data, perfex, profile, report};
#[cfg(target_has_atomic = "ptr")]
pub use sample::{Interrupted, Lost, Sample, SampleStatistics, Samples, SessionId, chain};
#[cfg(target_has_atomic = "ptr")]
pub use sync::Word;
#[cfg(target_has_atomic = "ptr")]
pub use unit::{Handled, Pmu, Spurious, Threads, Unit};

#[cfg(all(test, loom))]
#[path = "../tests/interleavings/mod.rs"]
mod interleavings;
