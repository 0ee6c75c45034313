//! The exception at F00H, and what it samples.

use core::sync::atomic::Ordering::Relaxed;

use pmu::{CounterId, Event, Request};

use super::Unit;
use crate::unit::{EXCEPTIONS, SAMPLED, STRANGERS, UNIT};
use crate::{bench, work};

/// The period, and the turns of a window: three periods end in it, and the fourth has begun.
const PERIOD: u64 = 600;
const TURNS: u64 = 400;

/// Instructions on PMC1, whose top bit an overflow sets: the count goes on over it. The window begins and ends with some of the
/// crate's own, fewer than a period, so that each overflow comes in the loop: SIAR and the address that the exception returns to
/// are there.
pub fn as_many_overflows_as_interrupts_as_samples_each_inside_the_loop(pmu: Unit) {
    EXCEPTIONS.store(0, Relaxed);
    let first = CounterId::ZERO;
    let request = Request::new(Event::INSTRUCTIONS).every(PERIOD).pinned_to(first);
    let mut session = pmu.open([request]).expect("it has them");
    bench::watch(first, bench::of_code(0x1_00FE));
    session.start().expect("it is at home");
    work::turns(TURNS);
    session.stop().expect("it is at home");
    let [count] = session.read().expect("it is at home");
    assert_eq!(count, bench::count(first), "the crate's count and the core's own wires");
    let overflows = count / PERIOD;
    assert!(overflows >= 3, "{count} instructions");
    let mut samples = 0;
    for sample in UNIT.samples().expect("nobody else reads").by_ref() {
        assert!(work::turn().contains(&sample.address), "a sample at {:#x}", sample.address);
        samples += 1;
    }
    assert_eq!([EXCEPTIONS.load(Relaxed), samples, STRANGERS.load(Relaxed)], [overflows, overflows, 0]);
    let sampled = SAMPLED.load(Relaxed);
    assert!(work::turn().contains(&sampled), "SIAR is {sampled:#x}");
}

/// The period is over, and the unit is stopped before.
pub fn nothing_interrupts_while_the_unit_is_frozen(pmu: Unit) {
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)]).expect("it has them");
    session.start().expect("it is at home");
    session.stop().expect("it is at home");
    let before = EXCEPTIONS.load(Relaxed);
    work::turns(PERIOD / work::INSTRUCTIONS);
    assert_eq!(EXCEPTIONS.load(Relaxed), before);
}
