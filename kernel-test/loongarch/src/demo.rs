//! The demo, above the host, on the crate's device.

use harness::demo::{SAMPLES, program, run_by_clock};
use pmu::request::Generic;

use crate::guest::Here;
use crate::guest::unit::Driver;
use crate::identity;

static UNIT: pmu::Unit<Driver, SAMPLES> = pmu::Unit::new();

/// What the guest runs. Every counter counts instructions.
pub fn run() {
    const SAMPLED: Generic = Generic::Instructions;
    let (name, handler) = (identity::presented().name(), |at| _ = UNIT.on_overflow(at));
    run_by_clock::<Here>(name, (&UNIT, handler), (&program::LONG, SAMPLED), |_| Some(SAMPLED));
}
