//! A counter has 32 bits: behind the largest number comes 0, on the device as on a processor.

use pmu::{CounterId, Interrupted, Pmu};

use super::clocked;
use crate::family;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{hold_exceptions, instructions, on_overflow, take_exceptions};

/// Events before the wrap, and at least so many in all.
const BEFORE: u64 = 4_000;
const LENGTH: u64 = 10_000;

static UNIT: Unit<0> = Unit::new();

/// A counter that is negative alerts, whatever comes of it.
fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    clocked::kinds(&pmu.description()).for_each(|counter| wraps(&pmu, counter));
}

fn wraps(pmu: &Pmu<Driver>, counter: CounterId) {
    let mut session = pmu.open([clocked::request(counter)]).expect("the counter is free");
    session.start().expect("it is stopped");
    hold_exceptions();
    family::write(family::counter(counter), (1 << 32) - BEFORE);
    instructions::exactly(LENGTH);
    let behind = family::read(family::counter(counter));
    session.stop().expect("it runs");
    drop(session);
    take_exceptions();
    let passed = behind + BEFORE;
    assert!((LENGTH..LENGTH + 100).contains(&passed), "{counter}: {passed} events have passed");
}
