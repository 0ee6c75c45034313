//! Performance-monitoring units with nothing underneath: no operating system, no allocator, no
//! lock.
//!
//! A processor counts what it does: instructions, cycles, branches, misses. This crate programs
//! the registers that make it count, on bare metal, and wires the interrupt that comes on every
//! n-th event, from which profiles are made. It is for kernels that embed it, for their tests in
//! an emulator, and for hypervisors that give their guests a unit of their own.
//!
//! # One idea
//!
//! ```text
//!         driver  ──────────►  Registers  ◄──────────  device
//!    (programs the unit)    (one small trait)     (is the unit, in software)
//! ```
//!
//! A driver does not know what is at the other end of [`Registers`]: the instructions themselves,
//! a [`Recorder`], or a [`virt::Device`] that models the same unit register by register. So every
//! driver runs, and is tested, on every host; and the device that drivers are tested against is
//! what a hypervisor shows its guest.
//!
//! # Counting
//!
//! A kernel keeps one [`Unit`] a CPU. On that CPU it claims the unit with a driver, and from then
//! on it opens a [`Session`] whenever it wants to know something. Here the driver drives a
//! software unit, so that the example runs anywhere; in a kernel, the family's `Hardware` takes
//! the device's place.
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
//! handler, an NMI's as a rule, calls [`Unit::on_overflow`], a plain function that may run
//! anywhere; a thread takes the [`Sample`]s from [`Unit::samples`], and what could not be kept is
//! counted in [`Lost`]. A [`profile::Profile`] sums them up, [`report`] prints it, and [`perf_data`]
//! hands them to Linux' `perf report`. Where there is no such interrupt, a [`Timer`] samples by the
//! kernel's tick. [`chain`] says who called the code that was sampled.
//!
//! # The house
//!
//! The portable half is built of rooms, each of which imports only from those before it: `event`, what
//! is asked for ([`Event`], [`Request`], [`Set`], a [`Catalogue`]); `sync`, the words that thread and
//! interrupt share ([`Word`]); `contract`, what a processor promises ([`Registers`]; [`Plan`], [`Counters`] and
//! [`Control`]); [`placement`], which request counts where; `sample`, what the interrupt saw ([`Samples`],
//! [`chain`]); `unit`, who has a CPU's unit, what counts and what the interrupt does ([`Unit`], [`Pmu`],
//! [`Handled`]); [`stats`], what numbers mean; `measure`, a CPU ([`Session`]), a thread ([`Context`]), groups
//! that take turns ([`Multiplex`]), a program's own reading ([`UserPage`]) and the tick ([`Timer`]); `naming`,
//! requests as text ([`notation`], [`native`]); and `result`, what comes out ([`perfex`], [`profile`],
//! [`report`], [`perf_data`]).
//!
//! None of them names a processor. [`arch`] holds the processors; each family is registers, events,
//! driver and device. [`virt`] is the other end of a driver.
//!
//! `unsafe` is where instructions are, in `access.rs` and `entry.rs` of an architecture, and in
//! one promise that the user makes: the family's `Hardware::claim`.

#![cfg_attr(not(test), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg), doc(auto_cfg(hide(docsrs))))]

mod contract;
mod event;
pub mod guide;
mod measure;
mod naming;
pub mod placement;
mod result;
mod sample;
pub mod stats;
mod sync;
mod unit;
pub mod virt;

#[path = "../arch/mod.rs"]
pub mod arch;

pub use contract::{
    Access, Control, Counter, Counters, Description, Driver, Image, Kernel, Kind, Late, Lending, Masked, Occupancy,
    OneCpu, Overflow, Plan, Recorder, Registers, Slot, Steps, WithKernel, counters_for,
};
pub use event::{
    Catalogue, Conflict, Contention, CounterId, CounterIter, CounterSet, CpuId, Error, Event, Flag, Flags, Full,
    Generic, Mode, Modes, Refusal, Remaining, Repeat, Request, Requests, Result, Sampling, Set, Subcode, Width,
    catalogue,
};
pub use measure::{Context, Counts, GroupRefused, Member, Multiplex, Reader, Scaled, Session, Timer, UserPage};
pub use naming::{native, notation};
pub use result::{perf_data, perfex, profile, report};
pub use sample::{Interrupted, Lost, Sample, SampleStatistics, Samples, SessionId, chain};
pub use stats::{Buffer, Clock, Rate, UnequalSizes};
pub use sync::Word;
pub use unit::{Handled, Pmu, Strays, Threads, Unit};

/// The README's code is compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

#[cfg(all(test, loom))]
#[path = "../tests/interleavings/mod.rs"]
mod interleavings;
