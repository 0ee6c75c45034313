//! What does an overflow cost the program that it interrupts?

use super::stopwatch::time;
use super::{CYCLES, Pmu, Reached, Session, UNIT, print};
use crate::kernel::instructions;

/// An overflow in the middle of the loop, and no second one.
const PERIOD: u64 = 5_000;
const LOOP: u64 = 8_000;

/// Prints the figures: so many counters have overflowed when the cycle counter interrupts, and each leaves a sample.
///
/// QEMU notices the overflow of the others no later than that.
pub fn measure(pmu: &Pmu) {
    print(
        "aarch64.interrupt.1",
        overflow(pmu.open([CYCLES.every(PERIOD)]).expect("there is one")),
        Reached::Interrupted,
    );
    let session = pmu.open([PERIOD, PERIOD - 60, PERIOD - 60, PERIOD - 60].map(|period| CYCLES.every(period)));
    print("aarch64.interrupt.4", overflow(session.expect("there are four")), Reached::Interrupted);
}

fn overflow<const N: usize>(mut session: Session<N>) -> u64 {
    let quiet = time_loop();
    session.start().expect("it is stopped");
    let interrupted = time_loop();
    session.stop().expect("it is started");
    let samples = UNIT.samples().expect("there is no other reader");
    let mut addresses = samples.map(|sample| sample.address);
    let first = addresses.next().expect("it overflows");
    assert_eq!(addresses.filter(|&address| address == first).count(), N - 1, "they are noticed at once");
    interrupted - quiet
}

#[inline(never)]
fn time_loop() -> u64 {
    time(|| instructions::exactly(LOOP)).0
}
