//! The n-th event interrupts, at its very instruction, whatever n: on counters of every kind.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::{CounterId, Interrupted, Pmu};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{World, on_overflow, position, truth, world};

/// Deep inside the loop.
const DEEP: u64 = 1000;

static UNIT: Unit<1> = Unit::new();
static POSITION: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    on_overflow(note);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        let lead = DEEP.checked_sub(shoot(&pmu, counter, DEEP)).expect("it comes in the loop");
        for n in (lead + 1..lead + 20).chain([2500, 4096]) {
            assert_eq!(shoot(&pmu, counter, n), n - lead, "{counter:?}, event {n}");
            let sample = UNIT.samples().expect("there is one reader").next().expect("it was sampled");
            assert_eq!(sample.counter, counter, "event {n}");
            assert!(world() == World::Native || truth::skid() == 0, "event {n}");
        }
    }
}

/// Counts once until the event `n`; how many of the loop's instructions had retired then?
#[inline(never)]
fn shoot(pmu: &Pmu<Driver>, counter: CounterId, n: u64) -> u64 {
    let mut session = pmu.open([clocked::request(counter).once_after(n)]).expect("the period is possible");
    POSITION.store(NOWHERE, Relaxed);
    session.start().expect("it is stopped");
    position::position_loop(n as usize / 3 + 2);
    session.stop().expect("it runs");
    POSITION.load(Relaxed) as u64
}

const NOWHERE: usize = 1 << 30;

fn note(at: Interrupted) {
    POSITION.store(position::of(at).map_or(NOWHERE, |position| position as usize), Relaxed);
    let _ = UNIT.on_overflow(at);
}
