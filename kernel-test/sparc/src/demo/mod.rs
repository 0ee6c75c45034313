//! The demo: the program is counted and sampled on the crate's device; and counted as `cpustat` shows it.

pub mod cpustat;

use harness::demo::{Demo, SAMPLES, Source, program};
use pmu::{CounterId, Generic, Interrupted};

use crate::guest::on_overflow;
use crate::guest::unit::{Driver, find};
use crate::identity;
use crate::platform::Console;

static UNIT: pmu::Unit<Driver, SAMPLES> = pmu::Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

/// What the guest runs.
pub fn run() {
    on_overflow(handle);
    let driver = find().expect("every processor that is presented has a unit");
    let pmu = UNIT.claim(driver).expect("nobody else claims it");
    let mut demo = Demo {
        console: Console,
        processor: identity::presented().name,
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

/// The host observes instructions, and a cycle for each.
fn source(event: Generic, _: CounterId) -> Source {
    match event {
        Generic::Instructions => Source::Observed,
        Generic::Cycles => Source::Virtual,
        _ => Source::Unobserved,
    }
}

/// Instructions, where the counter counts them: T1's first does not.
fn event_of(counter: CounterId) -> Option<Generic> {
    let counts = identity::presented().counts_instructions_twice() || counter != CounterId::ZERO;
    counts.then_some(Generic::Instructions)
}
