//! What does an overflow cost the program that it interrupts?

use pmu::Session;
use pmu::driver::Overflow;

use super::figures::Figures;
use super::{Bench, Cost, Measured, Reached};

/// An overflow in the middle of the loop, and no second one.
const PERIOD: u64 = 5_000;
const LOOP: u64 = 8_000;

/// Prints the figures: so many counters overflow at once, and each leaves a sample.
pub(super) fn measure<S: Measured>(figures: &Figures<S>) {
    several::<S, 1>(figures);
    several::<S, 4>(figures);
}

fn several<S: Measured, const N: usize>(figures: &Figures<S>) {
    if figures.pmu.description().overflow == Overflow::None {
        return figures.absent(format_args!("interrupt.{N}"), "the unit has no overflow interrupt");
    }
    let session = figures.pmu.open(S::Kernel::overflowing(PERIOD)).ok();
    let cost = session.map(overflow::<S, N>);
    figures.print(format_args!("interrupt.{N}"), cost, Reached::Interrupted);
}

/// From the entry's first instruction to the return from it, both counted.
fn overflow<S: Measured, const N: usize>(mut session: Session<'static, S::Driver, N>) -> S::Cost {
    let quiet = work::<S>();
    session.start().expect("it is stopped");
    let interrupted = work::<S>();
    session.stop().expect("it is started");
    let mut addresses = S::unit().samples().expect("there is no other reader").map(|sample| sample.address);
    let first = addresses.next().expect("it overflows");
    assert_eq!(addresses.filter(|&address| address == first).count(), N - 1, "they are noticed at once");
    interrupted.beyond(quiet)
}

#[inline(never)]
fn work<S: Measured>() -> S::Cost {
    S::Cost::measure::<S::Kernel, _>(|| S::Kernel::exactly(LOOP)).0
}
