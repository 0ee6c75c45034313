//! The unit as a guest's kernel keeps it: in a static, claimed on its one CPU, with overflows that
//! come as performance monitor exceptions.

use pmu::Pmu;

pub use crate::family::{Driver, detect, hardware};
use crate::{family, identity};

/// A unit with room for so many samples.
pub type Unit<const SAMPLES: usize> = pmu::Unit<Driver, SAMPLES>;

/// The unit of the harness's sentences, and one with less room. As all statics they are new in each test.
pub static SHARED: Unit<{ harness::ROOM }> = Unit::new();
pub static SMALL: Unit<{ harness::LITTLE_ROOM }> = Unit::new();

/// Claims a test's unit, of which there is no doubt.
pub fn claim<const SAMPLES: usize>(unit: &Unit<SAMPLES>) -> Pmu<'_, Driver> {
    let driver = detect().expect("the processor has a unit");
    unit.claim(driver).expect("nobody has it yet")
}

/// MMCR0, FC; PMGC0, FAC.
const FREEZE: u64 = 1 << 31;

/// Leaves the unit as a reset does: frozen, and everything else 0.
pub fn reset() {
    family::write(family::control(), FREEZE);
    let others = family::registers(&identity::presented().processor).filter(|at| *at != family::control());
    others.for_each(|at| family::write(at, 0));
}

/// Fills every register with something of somebody's, and stops the unit: nothing moves.
pub fn leave(value: u64) {
    family::write(family::control(), FREEZE);
    for (number, at) in (0..).zip(family::registers(&identity::presented().processor)) {
        if at != family::control() {
            family::write(at, (value + number) & 0x7fff_ffff);
        }
    }
}
