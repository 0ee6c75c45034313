//! An overflow while MSR[EE] is closed interrupts as soon as it is opened, if the counter runs still;
//! if it was stopped meanwhile, it is accounted for once all the same.

use harness::Verdicts;
use harness::accounts::accounted;
use pmu::{CounterId, Interrupted, Pmu};

use super::clocked;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{hold_exceptions, on_overflow, take_exceptions};

const PERIOD: u64 = 5000;

static UNIT: Unit<64> = Unit::new();
static VERDICTS: Verdicts = Verdicts::new();

fn handle(at: Interrupted) {
    VERDICTS.note(UNIT.on_overflow(at));
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        overflow_while_closed(&pmu, counter, false);
        overflow_while_closed(&pmu, counter, true);
    }
}

fn overflow_while_closed(pmu: &Pmu<Driver>, counter: CounterId, stops: bool) {
    let before = accounted(&UNIT);
    let mut session = pmu.open([clocked::request(counter).every(PERIOD)]).expect("the counter is free");
    session.start().expect("it is stopped");
    hold_exceptions();
    exactly(PERIOD * 3 / 2);
    if stops {
        session.stop().expect("it runs");
    }
    assert_eq!(VERDICTS.take().overflow, 0, "it is closed");
    take_exceptions();
    exactly(100);
    let tally = VERDICTS.take();
    assert_eq!((tally.overflow, tally.foreign), (u64::from(!stops), 0), "{counter}");
    if !stops {
        session.stop().expect("it runs");
    }
    let [count] = session.read().expect("this is its CPU");
    assert_eq!(accounted(&UNIT) - before, count / PERIOD, "{counter}");
}
