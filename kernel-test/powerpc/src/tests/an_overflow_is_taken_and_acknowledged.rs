//! An overflow interrupts once: the exception finds the unit's alert raised and its enable gone, and
//! leaves the alert lowered and the enable set, with the counter below its top bit.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::{CounterId, Interrupted, Registers};

use super::clocked;
use crate::family::{self, counter};
use crate::guest::unit::{self, Unit};
use crate::guest::{instructions, on_overflow};

/// MMCR0: PMXE, or PMAE, which the alert clears; and PMAO, which it sets, where there is one (Power
/// ISA 3.1 Book III, "Monitor Mode Control Register 0").
const ENABLE: u64 = 1 << 26;
const ALERT: u64 = crate::by_width!(1 << 7, 0);
/// A counter is negative.
const SIGN: u64 = 1 << 31;

static UNIT: Unit<64> = Unit::new();
static TAKEN: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    on_overflow(check);
    let pmu = unit::claim(&UNIT);
    for (number, counter) in clocked::kinds(&pmu.description()).enumerate() {
        let mut session = pmu.open([clocked::request(counter).once_after(3000)]).expect("the counter is free");
        session.start().expect("it is stopped");
        instructions::exactly(5000);
        assert_eq!(TAKEN.load(Relaxed), number + 1, "{counter}");
        assert!(session.has_ended(0), "{counter}");
        assert_eq!(negative(counter), 0, "{counter}");
    }
}

fn check(at: Interrupted) {
    let control = || unit::hardware().read(family::CONTROL) & (ENABLE | ALERT);
    assert_eq!(control(), ALERT, "before the handler");
    assert!(UNIT.on_overflow(at).is_mine());
    assert_eq!(control() & ALERT, 0, "behind the handler");
    TAKEN.fetch_add(1, Relaxed);
}

fn negative(id: CounterId) -> u64 {
    unit::hardware().read(counter(id)) & SIGN
}
