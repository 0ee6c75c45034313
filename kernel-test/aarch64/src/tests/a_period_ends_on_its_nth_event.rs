//! The n-th event interrupts, at its very instruction, whatever n.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::arch::aarch64::Index;
use pmu::{CounterId, Pmu, Registers};

use super::clocked;
use crate::kernel::unit::{self, Driver, Unit};
use crate::kernel::{on_interrupt, position};
use crate::trap::Frame;

const BOUNDARIES: [u64; 7] = [4095, 4096, 4097, 65_535, 65_536, 100_000, 249_999];
/// Fewer events end before the loop.
const LEAD: u64 = 300;
const NOWHERE: u64 = u64::MAX;

static UNIT: Unit<1> = unit::new();
static ADDRESS: AtomicU64 = AtomicU64::new(0);
static POSITION: AtomicU64 = AtomicU64::new(0);

pub fn test() {
    on_interrupt(note);
    let pmu = unit::claim(&UNIT);
    // Every counter is started by the same instructions.
    let lead = shoot(&pmu, clocked::CYCLES, 2000).lead;
    for counter in clocked::punctual(&pmu.description()) {
        UNIT.samples().expect("there is one reader").for_each(drop);
        for n in (LEAD..2000).chain(BOUNDARIES).chain([250_000]) {
            let shot = shoot(&pmu, counter, n);
            let width = if counter == clocked::CYCLES {
                pmu.description().fixed_width
            } else {
                pmu.description().general_width
            };
            assert_eq!(width.delta(shot.start, 0), n, "the counter starts n events before it wraps");
            assert_eq!(shot.position, n - lead, "{counter}, event {n}");
            let sample = UNIT.samples().expect("there is one reader").next().expect("it was sampled");
            assert_eq!((sample.address, sample.counter), (ADDRESS.load(Relaxed), counter), "event {n}");
        }
    }
}

/// Where a counter stood before its start, how much the cycle counter had counted before the loop, and where the
/// interrupt came.
struct Shot {
    start: u64,
    lead: u64,
    position: u64,
}

/// Counts once until the event `n`.
#[inline(never)]
fn shoot(pmu: &Pmu<Driver>, counter: CounterId, n: u64) -> Shot {
    let mut session = pmu.open([clocked::request(counter).once_after(n)]).expect("the period is possible");
    let start = unit::hardware().read_counter(Index::of(counter));
    POSITION.store(NOWHERE, Relaxed);
    session.start().expect("it is stopped");
    let door = position::turn(n / 3 + 2);
    session.stop().expect("it runs");
    Shot { start, lead: door.wrapping_sub(start).wrapping_add(position::BEFORE_TURN), position: POSITION.load(Relaxed) }
}

fn note(frame: &mut Frame) {
    ADDRESS.store(frame.address, Relaxed);
    POSITION.store(position::of(frame).unwrap_or(NOWHERE), Relaxed);
    let _ = UNIT.on_overflow(unit::interrupted(frame));
}
