//! The demo on the presented processor, and the classic experiment behind it; and [`shows`] by their
//! names.

mod experiment;
mod showing;
pub mod shows;

use harness::demo::{Demo, SAMPLES, program};

use crate::guest::unit::{Driver, detect};
use crate::identity;

static UNIT: pmu::Unit<Driver, SAMPLES> = pmu::Unit::new();

/// What is shown.
type Show<'p> = Demo<'p, Driver>;

pmu::nmi_entry!(Nmi, |at| _ = UNIT.on_overflow(at));

/// What the guest runs.
pub fn run() {
    with_unit(|demo| {
        demo.run();
        experiment::run(demo);
    });
}

/// What the guest runs to show the experiment alone.
pub fn run_experiment() {
    with_unit(|demo| {
        demo.describe();
        experiment::run(demo);
    });
}

fn with_unit(show: fn(&mut Show)) {
    crate::guest::enter_nmi_at(Nmi::address());
    let driver = detect().expect("every processor that is presented has a unit");
    let pmu = UNIT.claim(driver).expect("nobody else claims it");
    show(&mut Demo {
        processor: identity::presented().processor.name(),
        unit: &UNIT,
        pmu: &pmu,
        program: &program::LONG,
        source: showing::source,
        sampled: pmu::request::Generic::Instructions,
        event_of: showing::event_of,
    });
    pmu.release().expect("no session is open any more");
}
