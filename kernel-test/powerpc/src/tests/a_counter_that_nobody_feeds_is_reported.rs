//! A counter that selects what a stepped processor cannot show is no silent zero: the host says so.

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
    // The last is the 970's, whatever it counts.
    let events = [Event::Generic(Generic::BranchMisses), Event::Generic(Generic::CacheMisses), Event::raw(0x1002)];
    let mut sessions = events.map(|event| pmu.open([event]).ok()).into_iter();
    let mut session = sessions.find_map(|session| session).expect("one of them is known");
    session.start().expect("it is stopped");
    assert_eq!(Here::unfed(), session.counter(0).expect("it has one").only());
}
