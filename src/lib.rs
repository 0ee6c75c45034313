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
//! use pmu::{CpuId, Event, Mode, Unit};
//!
//! let skylake = Identity::SKYLAKE;
//! let device = Device::new(&skylake, Kinds::CLOCK, Unconnected);
//! let work = || device.advance(&Work::instructions(Mode::Kernel, 1000));
//!
//! let unit = Unit::<_, 0>::new();
//! let pmu = unit.claim(Intel::detect(&skylake, &device, Unattached)?, || CpuId(0))?;
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
//! The crate's root reads as the life of a measurement: what is asked for ([`Event`], [`Request`],
//! [`Set`], in the words of [`notation`], and [`native`] says what a processor makes of a generic
//! event), where it fits ([`assign`]), who owns the unit ([`Unit`], [`Pmu`]), how a CPU is measured
//! ([`Session`]) and a thread ([`Context`]), what the interrupt does ([`Handled`]), what is seen of it
//! ([`Samples`]), what the numbers mean ([`stats`], [`perfex`]) and how they are printed ([`report`]).
//! It names no processor. [`arch`] holds the processors; each family is registers,
//! events, driver and device. [`virt`] is the other end of a driver.
//!
//! `unsafe` is where instructions are, in `access.rs` and `entry.rs` of an architecture, and in
//! one promise that the user makes: the family's `Hardware::claim`.

#![cfg_attr(not(test), no_std)]

pub mod assign;
mod atomic;
mod backend;
mod buffer;
pub mod catalogue;
pub mod chain;
mod clock;
mod context;
mod counter;
mod error;
mod event;
mod follow;
pub mod guide;
mod hold;
mod late;
mod multiplex;
pub mod native;
pub mod notation;
mod open;
mod operation;
mod overflow;
pub mod perf_data;
pub mod perfex;
mod phase;
mod pmu;
pub mod profile;
mod reader;
mod registers;
pub mod report;
mod requests;
mod sample;
mod session;
mod set;
mod shared;
pub mod stats;
mod subcode;
mod take;
mod timer;
mod user;
pub mod virt;
mod visitor;
mod word;

#[path = "../arch/mod.rs"]
pub mod arch;

pub use backend::{Backend, Description, Image, Late, Overflow, Period, Periods, Renewed, Slot};
pub use buffer::{Buffer, UnequalSizes};
pub use catalogue::Catalogue;
pub use clock::{Clock, Rate};
pub use context::Context;
pub use counter::{CounterId, CounterSet, Counters, Remaining, Width};
pub use error::{Conflict, Contention, CpuId, Error, Refusal, Result};
pub use event::{Event, Flag, Flags, Generic, Mode, Modes, Repeat, Request, Sampling};
pub use multiplex::{GroupRefused, Member, Multiplex, Scaled};
pub use overflow::Handled;
pub use pmu::{Pmu, Unit};
pub use reader::{Counts, Reader};
pub use registers::{Access, Recorder, Registers, Shortcut};
pub use requests::Requests;
pub use sample::{Interrupted, Lost, Sample, SampleStatistics, Samples, SessionId};
pub use session::Session;
pub use set::{Full, Set};
pub use shared::Strays;
pub use subcode::Subcode;
pub use timer::Timer;
pub use user::UserPage;
pub use visitor::Threads;
pub use word::Word;

/// The README's code is compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

#[cfg(all(test, loom))]
#[path = "../tests/interleavings/mod.rs"]
mod interleavings;
