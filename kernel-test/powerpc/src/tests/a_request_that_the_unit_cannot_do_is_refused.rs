//! A request that the unit cannot do is named with what is wrong with it; nothing is programmed, and
//! nothing is held.

use pmu::{CounterId, Error, Event, Modes, Pmu, Refusal, Request};

use super::amid::assert_all_free;
use crate::guest::registers;
use crate::guest::unit::{self, Driver, Unit};

static UNIT: Unit<0> = Unit::new();

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
const CYCLES: Request = Request::new(Event::CYCLES);
const NOWHERE: CounterId = CounterId::new(31).unwrap();
const LONGEST: u64 = 1 << 31;
/// PMC6 counts cycles alone, where there are six; the 970's counts instructions too.
const PMC6: CounterId = CounterId::new(5).unwrap();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let before = registers::snapshot();
    for (request, reason) in [
        (INSTRUCTIONS.every(0), Refusal::PeriodZero),
        (INSTRUCTIONS.once_after(0), Refusal::PeriodZero),
        (INSTRUCTIONS.every(LONGEST + 1), Refusal::PeriodTooLong { longest: LONGEST }),
        (INSTRUCTIONS.modes(Modes::NONE), Refusal::Modes),
        (INSTRUCTIONS.pinned_to(NOWHERE), Refusal::NoSuchCounter(NOWHERE)),
    ] {
        assert_refused(&pmu, request, reason);
    }
    if pmu.description().general.len() == 6 {
        assert_refused(&pmu, INSTRUCTIONS.pinned_to(PMC6), Refusal::CounterCannot(PMC6));
    }
    assert_eq!(registers::snapshot(), before, "something was programmed");
    assert_all_free(&pmu);
    assert!(pmu.open([INSTRUCTIONS.every(LONGEST)]).is_ok(), "what is just possible");
}

fn assert_refused(pmu: &Pmu<'static, Driver>, request: Request, reason: Refusal) {
    let expected = Error::Refused { request: 1, event: request.event, reason };
    assert_eq!(pmu.open([CYCLES, request, CYCLES]).err(), Some(expected), "{request:?}");
}
