//! All counters of the unit overflow on the same instruction: one exception comes, and each of them
//! leaves its sample; and so they go on together.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::at_once::AtOnce;
use pmu::{CounterId, Interrupted, Pmu};

use super::amid::Here;
use super::clocked::{self, Together};
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{on_overflow, position};

const PERIOD: u64 = 3000;
const PERIODS: u64 = 10;

static UNIT: Unit<1024> = Unit::new();
static POSITION: AtomicUsize = AtomicUsize::new(0);

struct AllTogether;

pub fn test() {
    on_overflow(note);
    clocked::together::<AllTogether>(&unit::claim(&UNIT));
}

fn note(at: Interrupted) {
    POSITION.store(position::of(at).map_or(usize::MAX, |position| position as usize), Relaxed);
    let _ = UNIT.on_overflow(at);
}

impl Together for AllTogether {
    fn test<const N: usize>(pmu: &Pmu<Driver>, counters: [CounterId; N]) {
        let at_once = AtOnce::<Here> { unit: &UNIT, turn, period: PERIOD, periods: PERIODS };
        at_once.expect_all_sampled(pmu, counters);
    }
}

fn turn(rounds: u64) -> u64 {
    position::position_loop(rounds as usize);
    POSITION.load(Relaxed) as u64
}
