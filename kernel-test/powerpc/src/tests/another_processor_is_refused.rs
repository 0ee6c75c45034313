//! A thread that has moved to another processor is told so, by every operation, and touches nothing.

use harness::ownership;

use super::amid::Here;
use crate::guest::registers;
use crate::guest::unit::{self, Unit};

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let driver = unit::detect().expect("the unit is there");
    ownership::refuse_elsewhere::<Here, _>(&UNIT, driver, registers::snapshot);
}
