//! What does an overflow cost the program that it interrupts?

use super::stopwatch::time;
use super::{INSTRUCTIONS, Pmu, Reached, Session, UNIT, has_four, open, print};
use crate::guest::{instructions, truth};

/// An overflow in the middle of the loop, and no second one.
const PERIOD: u64 = 5_000;
const LOOP: u64 = 8_000;

/// Prints the figures: so many counters overflow at once, and each leaves a sample.
pub fn measure(pmu: &Pmu) {
    measure_several::<1>(pmu);
    if has_four(pmu) { measure_several::<4>(pmu) } else { measure_several::<2>(pmu) }
}

fn measure_several<const N: usize>(pmu: &Pmu) {
    let session = open::<N>(pmu, INSTRUCTIONS.every(PERIOD));
    print(format_args!("x86.interrupt.{N}"), overflow(session), Reached::Interrupted);
}

fn overflow<const N: usize>(mut session: Session<N>) -> u64 {
    let quiet = time_loop();
    let interrupts = truth::interrupts();
    session.start().expect("it is stopped");
    let interrupted = time_loop();
    session.stop().expect("it is started");
    assert_eq!(truth::interrupts() - interrupts, 1, "they overflow at once");
    assert_eq!(UNIT.samples().expect("there is no other reader").count(), N);
    interrupted - quiet
}

#[inline(never)]
fn time_loop() -> u64 {
    time(|| instructions::exactly(LOOP)).0
}
