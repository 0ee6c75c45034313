//! A counter that only counts is 2^31 events from its top bit: where it reaches it, the interrupt lets it
//! go on, and the count is right before, at, and behind it.

use pmu::{CounterId, Interrupted, Pmu};

use super::clocked;
use crate::family;
use crate::guest::instructions::exactly;
use crate::guest::on_overflow;
use crate::guest::unit::{self, Driver, Unit};

/// As if so many events had happened.
const JUMP: u64 = (1 << 31) - 5000;

static UNIT: Unit<1> = Unit::new();

fn handle(at: Interrupted) {
    assert!(UNIT.on_overflow(at).is_mine());
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        goes_on(&pmu, counter);
    }
}

fn goes_on(pmu: &Pmu<Driver>, counter: CounterId) {
    let mut session = pmu.open([clocked::request(counter)]).expect("the counter is free");
    let at = family::counter(counter);
    let begin = family::read(at);
    session.start().expect("it is stopped");
    family::write(at, begin + JUMP);
    let reader = session.reader().expect("this is its CPU");
    let mut last = 0;
    for _ in 0..20 {
        exactly(500);
        let [count] = reader.read();
        assert!((last + 500..last + 1500).contains(&count) || last == 0 && count > JUMP, "{counter}: {last}, {count}");
        last = count;
    }
    session.stop().expect("it runs");
    let [count] = session.read().expect("this is its CPU");
    assert!(count > JUMP + 10_000 && count < JUMP + 30_000, "{counter}: {count}");
}
