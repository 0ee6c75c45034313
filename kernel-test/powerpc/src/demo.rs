//! The demo on QEMU's own unit, at its full speed.
//!
//! There cycles are exact, one an instruction; of instructions those are missed that end in a branch to
//! a register ([`crate::tests`] names QEMU's inaccuracies). So the program is sampled by cycles.

use harness::demo::{Demo, SAMPLES, Source};
use pmu::{CounterId, Generic, Interrupted};

use crate::guest::on_overflow;
use crate::guest::unit::{Driver, detect, this_cpu};
use crate::identity;
use crate::platform::Console;

static UNIT: pmu::Unit<Driver, SAMPLES> = pmu::Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

/// What the guest runs.
pub fn run() {
    on_overflow(handle);
    let driver = detect().expect("every processor that is emulated has a unit");
    let pmu = UNIT.claim(driver, this_cpu).expect("nobody else claims it");
    let mut demo = Demo {
        console: Console,
        processor: identity::presented().name,
        unit: &UNIT,
        pmu: &pmu,
        source,
        sampled: Generic::Cycles,
        event_of,
    };
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

/// PMC5 counts instructions, PMC6 cycles; the others have a choice, and cycles are exact.
fn event_of(counter: CounterId) -> Option<Generic> {
    Some(if counter.number() == 4 { Generic::Instructions } else { Generic::Cycles })
}
