//! The demo: on QEMU's own unit, at its full speed; or above the host, on the crate's device.
//!
//! On QEMU's unit cycles are exact, one an instruction; of instructions those are missed that end in a
//! branch to a register ([`crate::tests`] names QEMU's inaccuracies). So the program is sampled by
//! cycles. Above the host each instruction is a step, which takes a thousand times as long: there a
//! short program runs, and is sampled by instructions, whose least period is short too.

use harness::demo::{Demo, SAMPLES, Source, program};
use pmu::request::Generic;
use pmu::{CounterId, Interrupted};

use crate::guest::unit::{Driver, detect};
use crate::guest::{World, on_overflow, world};
use crate::identity;

static UNIT: pmu::Unit<Driver, SAMPLES> = pmu::Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

/// What the guest runs.
pub fn run() {
    on_overflow(handle);
    let driver = detect().expect("every processor that is emulated has a unit");
    let pmu = UNIT.claim(driver).expect("nobody else claims it");
    let (program, sampled) = match world() {
        World::Native => (&program::LONG, Generic::Cycles),
        World::Host => (&program::SHORT, Generic::Instructions),
    };
    let mut demo =
        Demo { processor: identity::presented().name, unit: &UNIT, pmu: &pmu, program, source, sampled, event_of };
    demo.run();
    pmu.release().expect("no session is open any more");
}

/// QEMU counts instructions, and a cycle for each.
fn source(event: Generic, _: CounterId) -> Source {
    match event {
        Generic::Instructions => Source::Observed,
        Generic::Cycles => Source::Virtual,
        _ => Source::Unobserved,
    }
}

/// Cycles, or where a counter does not count them instructions, which the demo asks for then.
fn event_of(_: CounterId) -> Option<Generic> {
    Some(Generic::Cycles)
}
