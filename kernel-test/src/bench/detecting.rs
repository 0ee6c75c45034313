//! What does it add to a reading that the driver was found by `arch::detect`, which knows every
//! family, and not named?

use pmu::arch::x86::access::{Cpuid, Hardware, MappedLine};
use pmu::arch::x86::{Detected, Lvtpc, XApic, detect};
use pmu::{Backend, Unit};

use super::reading::wide;
use super::{INSTRUCTIONS, Reached, print};
use crate::guest::unit::{self, hardware, line, this_cpu};

static NAMED: Unit<unit::Driver, 0> = Unit::new();
static FOUND: Unit<Detected<Hardware, XApic<MappedLine>>, 0> = Unit::new();

/// Prints the figure.
pub fn measure() {
    let driver = unit::detect().expect("every processor that is presented has a unit");
    let named = cost(&NAMED, driver);
    let driver = detect(&Cpuid, hardware(), XApic::new(line(), Lvtpc::NMI));
    let found = cost(&FOUND, driver.expect("it has been found before"));
    print("x86.detect_enum.read", found - named, Reached::Inline);
}

fn cost<B: Backend>(unit: &'static Unit<B, 0>, driver: B) -> u64 {
    let pmu = unit.claim(driver, this_cpu).expect("nobody else claims it");
    let cost = wide(&pmu.open([INSTRUCTIONS]).expect("the unit has a counter"));
    assert!(pmu.release().is_ok(), "no session is open any more");
    cost
}
