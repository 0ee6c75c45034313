//! A unit has one owner at a time, and a claim that is refused does not disturb it.

use pmu::{CounterId, Error};

use super::clocked;
use crate::guest::unit::{self, Unit};
use crate::guest::{instructions, registers};

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let second = unit::detect().expect("the unit is there");
    let pmu = unit::claim(&UNIT);
    let mut session = pmu.open([clocked::request(CounterId::ZERO)]).expect("the counter is free");
    session.start().expect("it can start");
    session.stop().expect("it runs");
    let before = registers::snapshot();
    assert_eq!(UNIT.claim(second, unit::this_cpu).err(), Some(Error::AlreadyClaimed));
    assert_eq!(registers::snapshot(), before);
    session.start().expect("it can start again");
    instructions::exactly(1000);
    session.stop().expect("it runs");
    assert!(session.read().expect("this is its CPU")[0] >= 1000);

    assert_eq!(pmu.release(), Err(Error::InUse(CounterId::ZERO.only())));
    drop(session);
    pmu.release().expect("nothing is open");
    assert!(UNIT.reclaim().is_ok(), "a unit that was released can be claimed again");
}
