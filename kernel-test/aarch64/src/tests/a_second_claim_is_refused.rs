//! A unit has one owner at a time, and a claim that is refused does not disturb it.

use harness::ownership;

use super::amid::Here;
use crate::kernel::registers;
use crate::kernel::unit::{self, Unit};

static UNIT: Unit<0> = unit::new();

pub fn test() {
    let drivers = [(); 2].map(|()| unit::detect().expect("the unit is there"));
    ownership::refuse_second::<Here, _>(&UNIT, drivers, unit::this_cpu, registers::fingerprint);
}
