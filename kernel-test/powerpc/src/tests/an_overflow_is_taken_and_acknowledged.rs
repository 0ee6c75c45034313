//! An overflow interrupts once: the exception finds the unit's alert raised and its enable gone, and
//! leaves the alert lowered and the enable set, with the counter below its top bit.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::{CounterId, Interrupted};

use super::clocked;
use crate::family::{self, ALERT, counter};
use crate::guest::unit::{self, Unit};
use crate::guest::{instructions, on_overflow};

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
    let control = || family::read(family::control()) & (family::enable() | ALERT);
    assert_eq!(control(), ALERT, "before the handler");
    assert!(UNIT.on_overflow(at).is_mine());
    assert_eq!(control() & ALERT, 0, "behind the handler");
    TAKEN.fetch_add(1, Relaxed);
}

fn negative(id: CounterId) -> u64 {
    family::read(counter(id)) & SIGN
}
