//! The demo, above the host, on the crate's device; and [`perfex`]' own run, on the processors that it was made for.

pub mod perfex;

use harness::demo::{Demo, SAMPLES, Source, program};
use pmu::{CounterId, Generic, Interrupted};

use crate::board::Console;
use crate::guest::on_overflow;
use crate::guest::unit::{Driver, detect};
use crate::identity;

static UNIT: pmu::Unit<Driver, SAMPLES> = pmu::Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

/// What the guest runs.
pub fn run() {
    on_overflow(handle);
    let pmu = UNIT.claim(detect()).expect("nobody else claims it");
    let mut demo = Demo {
        console: Console,
        processor: identity::presented().name(),
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

/// The host's clock shows instructions, and a cycle for each.
fn source(event: Generic, _: CounterId) -> Source {
    match event {
        Generic::Instructions => Source::Observed,
        Generic::Cycles => Source::Virtual,
        _ => Source::Unobserved,
    }
}

/// Every counter counts instructions.
fn event_of(_: CounterId) -> Option<Generic> {
    Some(Generic::Instructions)
}
