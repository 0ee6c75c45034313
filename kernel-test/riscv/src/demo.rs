//! The demo on QEMU's own unit.

use harness::demo::{Demo, SAMPLES, Source, program};
use pmu::{CounterId, Generic, Interrupted};

use crate::board::Console;
use crate::identity;
use crate::kernel::on_overflow;
use crate::kernel::unit::{Driver, detect};

static UNIT: pmu::Unit<Driver, SAMPLES> = pmu::Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

/// What the kernel runs.
pub fn run() {
    on_overflow(handle);
    let pmu = UNIT.claim(detect().expect("the processor has a unit")).expect("nobody else claims it");
    let mut demo = Demo {
        console: Console,
        processor: identity::present().name,
        unit: &UNIT,
        pmu: &pmu,
        program: &program::LONG,
        source,
        sampled: Generic::Instructions,
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

/// The counters that interrupt, with the event of each.
fn event_of(counter: CounterId) -> Option<Generic> {
    match counter.number() {
        3 => Some(Generic::Cycles),
        4 => Some(Generic::Instructions),
        _ => None,
    }
}
