//! The demo: the program is counted and sampled on the crate's device; and counted as `cpustat` shows it.

pub mod cpustat;

use harness::Named as _;
use harness::demo::{SAMPLES, program, run_by_clock};
use pmu::CounterId;
use pmu::request::Generic;

use crate::guest::Here;
use crate::guest::unit::Driver;
use crate::identity;

static UNIT: pmu::Unit<Driver, SAMPLES> = pmu::Unit::new();

/// What the guest runs.
pub fn run() {
    let (name, handler) = (identity::presented().name(), |at| _ = UNIT.on_overflow(at));
    run_by_clock::<Here>(name, (&UNIT, handler), (&program::LONG, Generic::Instructions), event_of);
}

/// Instructions, where the counter counts them: T1's first does not.
fn event_of(counter: CounterId) -> Option<Generic> {
    let counts = !identity::presented().is_t1() || counter != CounterId::ZERO;
    counts.then_some(Generic::Instructions)
}
