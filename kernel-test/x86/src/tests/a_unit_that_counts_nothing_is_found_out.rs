//! Some emulators keep what is written to a unit and count nothing: a loop of known length shows it, and the error says
//! how much was counted of how many instructions.

use pmu::Error;

use crate::guest::unit::{self, Unit};
use crate::guest::{Here, instructions};
use harness::{Disguise, Guest};

const LENGTH: u64 = 1000;

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let check = || pmu.check(LENGTH, || instructions::exactly(LENGTH));
    assert_eq!(check(), Ok(()));
    Here::present(Disguise::Silent);
    assert_eq!(check(), Err(Error::Silent { counted: 0, least: LENGTH }));
    Here::present(Disguise::None);
    assert_eq!(check(), Ok(()));
}
