//! A threshold counts the cycles in which an event happens as often, where PMMIR_EL1 announces one, and is refused with
//! the largest that there is where it does not. Cycles happen once a cycle.

use pmu::request::Refusal;
use pmu::{Error, Event, Request};

use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Driver, Unit};

static UNIT: Unit<0> = unit::new();

/// CPU_CYCLES, on an event counter.
const CYCLES: Request = Request::new(Event::raw(0x11));
const LENGTH: u64 = 5000;

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let bits = pmu.driver().capabilities().machine.threshold_bits();
    if bits == 0 {
        let refused = Refusal::ThresholdTooLarge { largest: 0 };
        let expected = Error::Refused { request: 0, event: CYCLES.event, name: None, reason: refused };
        return assert_eq!(pmu.open([CYCLES.threshold(1)]).err(), Some(expected));
    }
    let [plain, once, twice] = [0, 1, 2].map(|threshold| counted(&pmu, CYCLES.threshold(threshold)));
    assert!(plain >= LENGTH, "{plain} cycles");
    assert_eq!((once, twice), (plain, 0));
    if bits < 8 {
        let largest = (1 << bits) - 1;
        let expected = Refusal::ThresholdTooLarge { largest };
        let error = pmu.open([CYCLES.threshold(largest + 1)]).err();
        assert_eq!(error, Some(Error::Refused { request: 0, event: CYCLES.event, name: None, reason: expected }));
    }
}

fn counted(pmu: &pmu::Pmu<'static, Driver>, request: Request) -> u64 {
    let mut session = pmu.open([request]).expect("a counter is free");
    session.start().expect("it is stopped");
    exactly(LENGTH);
    session.stop().expect("it runs");
    session.read().expect("this is its CPU")[0]
}
