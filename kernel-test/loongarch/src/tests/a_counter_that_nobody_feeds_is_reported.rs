//! A counter that selects what a clock cannot show is no silent zero: the host says so.

use harness::Guest;
use pmu::request::Generic;
use pmu::{CounterSet, Event, Request};

use crate::guest::Here;
use crate::guest::unit::{self, Unit};

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let mut fed = pmu.open([Request::new(Event::INSTRUCTIONS)]).expect("every unit can");
    fed.start().expect("it is stopped");
    assert_eq!(Here::unfed(), CounterSet::EMPTY);
    drop(fed);
    let mut session = pmu.open([Event::Generic(Generic::BranchMisses)]).expect("every unit can");
    session.start().expect("it is stopped");
    assert_eq!(Here::unfed(), session.counter(0).expect("it has one").only());
}
