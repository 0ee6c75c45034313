//! All counters of the unit overflow on the same instruction: one interrupt comes, and each of them
//! leaves its sample; and so they go on together.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use harness::at_once::AtOnce;
use pmu::{CounterId, Pmu};

use super::amid::Here;
use super::clocked::{self, Together};
use crate::kernel::unit::{self, Driver, Unit};
use crate::kernel::{on_interrupt, position};
use crate::trap::Frame;

const PERIOD: u64 = 2000;
const PERIODS: u64 = 40;

static UNIT: Unit<1024> = unit::new();
static POSITION: AtomicU64 = AtomicU64::new(0);

struct AllTogether;

pub fn test() {
    on_interrupt(note);
    clocked::together::<AllTogether>(&unit::claim(&UNIT));
}

fn note(frame: &mut Frame) {
    POSITION.store(position::of(frame).unwrap_or(u64::MAX), Relaxed);
    let _ = UNIT.on_overflow(unit::interrupted(frame));
}

impl Together for AllTogether {
    fn test<const N: usize>(pmu: &Pmu<Driver>, counters: [CounterId; N]) {
        let at_once = AtOnce::<Here> { unit: &UNIT, turn, period: PERIOD, periods: PERIODS };
        at_once.expect_all_sampled(pmu, counters);
    }
}

fn turn(rounds: u64) -> u64 {
    position::turn(rounds);
    POSITION.load(Relaxed)
}
