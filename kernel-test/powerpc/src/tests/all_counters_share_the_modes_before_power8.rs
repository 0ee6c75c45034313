//! Before Power ISA 2.07, which brought each counter's own freezes (MMCR2), all counters count in the same modes: requests
//! that want different ones are refused together.

use pmu::request::Contention;
use pmu::{Error, Event, Modes, Request};

use crate::family;
use crate::guest::registers;
use crate::guest::unit::{self, Unit};

static UNIT: Unit<0> = Unit::new();

const CYCLES: Request = Request::new(Event::CYCLES);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let before = registers::snapshot();
    let opened = pmu.open([CYCLES.modes(Modes::USER), CYCLES.modes(Modes::KERNEL)]);
    if family::has_freezes_of_its_own(pmu.driver()) {
        return assert!(opened.is_ok());
    }
    let Err(Error::Conflict(conflict)) = opened else { panic!("these cannot be together") };
    assert_eq!(conflict.requests.bits(), 0b11);
    assert!(matches!(conflict.over, Contention::Register(_)), "{conflict:?}");
    assert_eq!(registers::snapshot(), before, "something was programmed");
}
