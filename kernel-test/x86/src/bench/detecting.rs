//! What does it add to a reading that the driver was found by `arch::detect`, which knows every
//! family, and not named?

use pmu::Unit;

use super::reading::wide;
use super::{Driver, INSTRUCTIONS, Reached, detect, print};
use crate::guest::unit;

static NAMED: Unit<Driver, 0> = Unit::new();
static FOUND: Unit<unit::Driver, 0> = Unit::new();

/// Prints the figure.
pub fn measure() {
    let named = cost(&NAMED, detect());
    let found = cost(&FOUND, unit::detect().expect("it has been found before"));
    print("x86.detect_enum.read", found.saturating_sub(named), Reached::Inline);
}

fn cost<B: pmu::Driver>(unit: &'static Unit<B, 0>, driver: B) -> u64 {
    let pmu = unit.claim(driver).expect("nobody else claims it");
    let cost = wide(&pmu.open([INSTRUCTIONS]).expect("the unit has a counter"));
    assert!(pmu.release().is_ok(), "no session is open any more");
    cost
}
