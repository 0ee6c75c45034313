//! What does an overflow cost the program that it interrupts?

use pmu::{Event, Request, Session};

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
    let cost = open::<S, N>(figures).map(overflow::<S, N>);
    figures.print(format_args!("interrupt.{N}"), cost, Reached::Interrupted);
}

/// Where not so many counters count instructions, some count cycles, of which there is one an instruction.
fn open<S: Measured, const N: usize>(figures: &Figures<S>) -> Option<Session<'static, S::Driver, N>> {
    let both = [Event::INSTRUCTIONS, Event::CYCLES].map(|event| Request::new(event).every(PERIOD));
    let mixed = core::array::from_fn(|number| both[number % 2]);
    let choices = [S::Kernel::overflowing(PERIOD), mixed];
    choices.into_iter().find_map(|requests| figures.pmu.open(requests).ok())
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
