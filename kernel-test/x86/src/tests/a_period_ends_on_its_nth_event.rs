//! The n-th event interrupts, at its very instruction, whatever n: on counters of every kind.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::arch::x86::Index;
use pmu::{CounterId, Pmu, Registers, Width};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{mischief, on_nmi, position, truth};
use crate::trap::Frame;

const BOUNDARIES: [u64; 7] = [4095, 4096, 4097, 65_535, 65_536, 100_000, 249_999];
/// Longer than any test lasts.
const NEVER: u64 = 1 << 30;
/// Deep inside the loop.
const DEEP: u64 = 1000;

static UNIT: Unit<1> = Unit::new();
static ADDRESS: AtomicU64 = AtomicU64::new(0);
static POSITION: AtomicU64 = AtomicU64::new(0);

pub fn test() {
    on_nmi(note);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        let width = if counter.number() < 32 { pmu.description().general_width } else { pmu.description().fixed_width };
        let lead = shoot(&pmu, counter, NEVER, DEEP).lead(width);
        let ordered = |n| shoot(&pmu, counter, NEVER, n);
        // What lies between the order of an NMI and the start of the counter.
        let before = DEEP - lead - ordered(DEEP).position;
        for n in (2..2000).chain(BOUNDARIES).chain([250_000]) {
            let shot = shoot(&pmu, counter, n, NEVER);
            assert_eq!(width.delta(shot.start, 0), n, "the counter starts n events before it wraps");
            if n <= lead {
                assert_eq!(shot.address, ordered(before + n).address, "{counter:?}, event {n}");
            } else {
                assert_eq!(shot.position, n - lead, "{counter:?}, event {n}");
            }
            let sample = UNIT.samples().expect("there is one reader").next().expect("it was sampled");
            assert_eq!((sample.address, sample.counter, shot.skid), (shot.address, counter, 0), "event {n}");
        }
    }
}

/// Where a counter stood before its start and before the loop, and where the NMI came.
struct Shot {
    start: u64,
    door: u64,
    address: u64,
    position: u64,
    skid: u64,
}

impl Shot {
    /// How many events come before the loop.
    fn lead(&self, width: Width) -> u64 {
        width.delta(self.start, self.door) + position::BEFORE_TURN
    }
}

/// Counts once until the event `n`; orders an NMI for when so many instructions have retired.
#[inline(never)]
fn shoot(pmu: &Pmu<Driver>, counter: CounterId, n: u64, order: u64) -> Shot {
    let mut session = pmu.open([clocked::request(counter).once_after(n)]).expect("the period is possible");
    let start = unit::hardware().read_counter(Index::of(counter));
    mischief::interrupt_after(order);
    session.start().expect("it is stopped");
    let door = position::turn(n.min(order) / 3 + 2, counter);
    session.stop().expect("it runs");
    let (address, position) = (ADDRESS.load(Relaxed), POSITION.load(Relaxed));
    Shot { start, door, address, position, skid: truth::skid() }
}

fn note(frame: &mut Frame) {
    ADDRESS.store(frame.rip, Relaxed);
    POSITION.store(position::of(frame).unwrap_or(NEVER), Relaxed);
    let _ = UNIT.on_overflow(unit::interrupted(frame));
}
