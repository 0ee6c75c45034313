//! The demo: what a kernel does with the crate, from finding the unit to naming who is to blame.
//!
//! It speaks in lines that `cargo xtask demo` makes tables of; `xtask/src/demo/lines.rs` says how. What
//! differs from kernel to kernel is in [`Demo`].

mod counter;
mod counting;
pub mod cputrack;
mod describing;
pub mod ledger;
pub mod program;
mod sampling;

use core::fmt;

use pmu::driver::Driver;
use pmu::request::Generic;
use pmu::text::catalogue::EventName;
use pmu::{CounterId, Event, Interrupted, Pmu, Request, Unit};

pub use counting::Source;
use program::Program;

use crate::kernel::Kernel;
use crate::println;

/// How many samples wait to be read, at the most.
pub const SAMPLES: usize = 8192;

/// A unit that is claimed, and what its kernel knows of it.
pub struct Demo<'p, B: Driver + 'static> {
    /// The processor's name.
    pub processor: &'static str,
    /// The unit.
    pub unit: &'static Unit<B, SAMPLES>,
    /// The same, claimed.
    pub pmu: &'p Pmu<'static, B>,
    /// What is measured.
    pub program: &'static Program,
    /// What the emulator shows of an event that was opened and started on this counter.
    pub source: fn(Generic, CounterId) -> Source,
    /// What the program is sampled by.
    pub sampled: Generic,
    /// What each counter can sample here, if anything.
    pub event_of: fn(CounterId) -> Option<Generic>,
}

impl<B: Driver + 'static> Demo<'_, B> {
    /// Says which unit it is, counts the program, and samples it.
    pub fn run(&mut self) {
        self.describe();
        println!("workload {}", self.program.title);
        self.count();
        println!("sampling one event");
        let request = Request::new(Event::Generic(self.sampled));
        self.sample(EventName::new(self.sampled.name()), request, self.program.period, self.program.run);
        self.sample_every_counter();
    }
}

/// Runs the demo of a kernel above the harness's host. The emulator shows instructions, and a cycle for
/// each; `handler` is what calls the unit's `on_overflow`.
pub fn run_by_clock<K: Kernel>(
    processor: &'static str,
    (unit, handler): (&'static Unit<K::Driver, SAMPLES>, fn(Interrupted)),
    (program, sampled): (&'static Program, Generic),
    event_of: fn(CounterId) -> Option<Generic>,
) {
    K::on_overflow(handler);
    let pmu = unit.claim(K::detect()).expect("nobody else claims it");
    Demo { processor, unit, pmu: &pmu, program, source: clock, sampled, event_of }.run();
    pmu.release().expect("no session is open any more");
}

/// What a clock of instructions shows.
pub fn clock(event: Generic, _: CounterId) -> Source {
    match event {
        Generic::Instructions => Source::Observed,
        Generic::Cycles => Source::Virtual,
        _ => Source::Unobserved,
    }
}

impl<B: Driver + 'static> fmt::Debug for Demo<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Demo").field("unit", self.unit).finish_non_exhaustive()
    }
}
