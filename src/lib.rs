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
//! A driver does not know what implements [`Registers`](driver::Registers): the processor's instructions,
//! a [`Recorder`](driver::Recorder), or a [`virt::Device`] that models the same unit register by register. So every
//! driver runs, and is tested, on every host; and a hypervisor can give its guest the device that the drivers
//! are tested with.
//!
//! # Counting
//!
//! A kernel keeps one [`Unit`] for each CPU. On that CPU it claims the unit with a driver, and then
//! opens a [`Session`] for each measurement, or counts a closure. This is the same on every architecture, except that
//! [`arch`]'s `detect` takes one more argument on RISC-V:
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
//! [`Sample`]s from [`Unit::samples`], and those that were lost are counted in [`Lost`](samples::Lost). A
//! [`Profile`](output::profile::Profile) adds samples up, [`report`](output::report) prints them, and [`perf_data`](output::perf_data) writes them for Linux'
//! `perf report`. Where there is no overflow interrupt, a [`Timer`] samples on the kernel's tick.
//! [`chain`](samples::chain) records the callers of the code that was sampled.
//!
//! # Modules
//!
//! The root has what a measurement needs. The rest is in modules:
//!
//! | module | for |
//! |---|---|
//! | [`request`] | the parts of a request, and why one is refused |
//! | [`multiplex`] | the groups of a [`Multiplex`] |
//! | [`samples`] | statistics of samples, their sessions, and the [callers](samples::chain) of the code that was sampled |
//! | [`text`] | events and requests by name, in the notations of five systems |
//! | [`output`] | profiles, reports and tables; Linux' perf.data |
//! | [`stats`] | statistics of many measurements |
//! | [`arch`] | the processors: each family has registers, events, a driver and a device |
//! | [`virt`] | units in software, and guests that have one |
//! | [`driver`] | authors of drivers: the registers, and what a driver promises |
//! | [`guide`] | chapters for kernels and hypervisors, and for users of other tools |
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
mod placement;
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
pub use contract::{Kernel, OneCpu};
#[cfg(target_has_atomic = "ptr")]
pub use event::{CounterId, CounterSet, CpuId, Error, Event, Mode, Modes, Request, Result, Set};
#[cfg(target_has_atomic = "ptr")]
pub use measure::{Context, Counts, Multiplex, Reader, Session, Timer, UserPage};
#[cfg(target_has_atomic = "ptr")]
pub use sample::{Interrupted, Sample, Samples};
#[cfg(target_has_atomic = "ptr")]
pub use unit::{Handled, Pmu, Threads, Unit};

#[cfg(target_has_atomic = "ptr")]
/// For who writes a driver: the registers, and what a driver promises.
pub mod driver {
    pub use crate::contract::{
        Access, Control, Counter, Counters, Description, Driver, Field, Image, Kind, Late, Lending, Masked, Overflow,
        Plan, Recorder, Registers, Slot, Steps, WithKernel, counters_for,
    };
    pub use crate::event::{Remaining, Width};
    pub use crate::sync::Word;

    /// The assignment of requests to counters.
    pub mod placement {
        pub use crate::placement::{Choice, Constraints, Ignored, Register, Takes, match_masks, solve, solve_sparing};
    }
}

#[cfg(target_has_atomic = "ptr")]
/// The parts of a request, and why one is refused.
pub mod request {
    pub use crate::event::{
        Conflict, Contention, Flag, Flags, Full, Generic, Refusal, Repeat, Requests, Sampling, Subcode,
    };
}

#[cfg(target_has_atomic = "ptr")]
/// Branches as the processor records them: those that led to a sample, and the last ones of all.
///
/// A recorder is a value beside the driver of the counters ([`Branches`](branches::Branches)); RISC-V's is
/// [`Ctr`](arch::riscv::hpm::ctr::Ctr), Intel's and AMD's [`Lbr`](arch::x86::lbr::Lbr).
///
/// A kernel that wants each sample's branches calls
/// [`Unit::on_overflow_with_branches`](crate::Unit::on_overflow_with_branches) in place of `on_overflow`, with the recorder of
/// its CPU. [`BranchLists`](branches::BranchLists) keeps them in a ring of its own, and
/// [`BranchLists::pair`](branches::BranchLists::pair) returns each sample with its branches. When that ring is full, the
/// branches are lost and the sample is kept.
///
/// # What is not there
///
/// - Arm's BRBE (FEAT_BRBE, Armv9.2): QEMU has none, and its registers are undefined there at EL1, which no hypervisor traps. So no
///   driver could be run.
/// - POWER's branch history (BHRB, POWER8 and later): it records only while MMCR0's PMAE lets counters alert, so it is no recorder
///   beside the counters; and a direct branch has no target in it, which must be decoded from the code. QEMU's records
///   problem state alone.
/// - Mispredictions and cycles where the emulator has none: QEMU's unit of RISC-V.
pub mod branches {
    pub use crate::contract::Branches;
    pub use crate::event::{Branch, BranchFilter, BranchKind, BranchList};
    pub use crate::sample::branches::{BranchLists, Branched};
}

#[cfg(target_has_atomic = "ptr")]
/// Samples of the instruction itself, by sampling hardware: its address, its data's address, their source, the latency.
///
/// A sample by overflow names an instruction some way after the one that caused it. A [`Sampler`](precise::Sampler) is
/// hardware that records the instruction itself: AMD's is [`ibs`](arch::x86::amd::ibs), Intel's
/// [`pebs`](arch::x86::intel::pebs). It is a value beside the driver of the
/// counters, and a kernel that does not name it links none of its code. [`Records`](precise::Records) has its interrupt and a
/// ring, and each [`Record`](precise::Record) says what is known.
pub mod precise {
    pub use crate::contract::Sampler;
    pub use crate::event::{DataSource, Operation, Record, Translation};
    pub use crate::unit::Records;
}

#[cfg(target_has_atomic = "ptr")]
/// Statistics of samples, the sessions that samples belong to, and call chains.
pub mod samples {
    pub use crate::sample::{Lost, SampleStatistics, SessionId, chain};
    pub use crate::unit::Spurious;
}

#[cfg(target_has_atomic = "ptr")]
/// The groups of a [`Multiplex`].
pub mod multiplex {
    pub use crate::measure::{GroupRefused, Member, Scaled};
}

#[cfg(target_has_atomic = "ptr")]
/// Events and requests as text: tables of names, the notations, and the events that are a processor's own.
pub mod text {
    pub use crate::event::catalogue;
    pub use crate::naming::{native, notation};
}

#[cfg(target_has_atomic = "ptr")]
/// Results: profiles, reports, tables, and Linux' perf.data.
pub mod output {
    pub use crate::result::{perf_data, perfex, profile, report};
}

#[cfg(all(test, loom))]
#[path = "../tests/interleavings/mod.rs"]
mod interleavings;
