//! A one-shot period ends once and says so; it counts another one after `again`, and after a stop
//! and a `resume`; and a start begins from 0.

use harness::{Tally, Verdicts};
use pmu::{CounterId, Interrupted, Pmu, Session};

use super::clocked;
use crate::guest::instructions::exactly;
use crate::guest::on_overflow;
use crate::guest::unit::{self, Driver, Unit};

const PERIOD: u64 = 3000;
const ENOUGH: u64 = PERIOD * 3;

static UNIT: Unit<8> = Unit::new();
static VERDICTS: Verdicts = Verdicts::new();

fn handle(at: Interrupted) {
    VERDICTS.note(UNIT.on_overflow(at));
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        counts_again(&pmu, counter);
    }
}

fn counts_again(pmu: &Pmu<Driver>, counter: CounterId) {
    let mut session = pmu.open([clocked::request(counter).once_after(PERIOD)]).expect("the counter is free");
    session.start().expect("it is stopped");
    assert_eq!((session.has_ended(0), overflows_during(PERIOD / 2)), (false, 0), "not yet");
    assert_eq!(overflows_during(ENOUGH), 1);
    assert_ended_after(&session, 1);
    session.rearm().expect("it runs");
    assert_eq!((session.has_ended(0), overflows_during(PERIOD / 2)), (false, 0), "the next one has begun");
    assert_eq!(overflows_during(ENOUGH), 1);
    assert_ended_after(&session, 2);
    session.stop().expect("it runs");
    assert_eq!(overflows_during(ENOUGH), 0, "it is stopped");
    session.resume().expect("it is stopped");
    assert_eq!(overflows_during(ENOUGH), 1);
    assert_ended_after(&session, 3);
    session.stop().expect("it runs");
    session.start().expect("it is stopped");
    assert_eq!(overflows_during(ENOUGH), 1);
    assert_ended_after(&session, 1);
}

fn overflows_during(instructions: u64) -> u64 {
    exactly(instructions);
    let Tally { overflow, late, foreign } = VERDICTS.take();
    assert_eq!((late, foreign), (0, 0));
    overflow
}

/// It has counted so many whole periods, and left one sample since this was asked last.
fn assert_ended_after(session: &Session<'_, Driver, 1>, periods: u64) {
    assert_eq!((session.has_ended(0), session.read()), (true, Ok([periods * PERIOD])));
    assert_eq!(UNIT.samples().map(Iterator::count), Ok(1));
}
