//! Sampling as often as the driver lets one sample in the kernel, every sample is at its place and
//! the kernel gets on; for less, the request is refused.

use core::num::NonZero;

use pmu::arch::powerpc::LEAST_IN_KERNEL;
use pmu::{Error, Event, Interrupted, Pmu, Refusal, Request};

use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{on_overflow, sled, truth};
use crate::platform::println;

/// How many periods to sample, at least.
const PERIODS: u64 = 50;
/// A period whose interrupts are far apart.
const EASY: u64 = 1000;
/// More than there is between a load that reserves and the conditional store: an interrupt gives the
/// reservation up, so that interrupts any closer would let no atomic operation ever end.
const RESERVED: u64 = 16;

/// On whichever counter; a raw code that the driver knows no kind of has a longer least period.
const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

static UNIT: Unit<256> = Unit::new();

fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    // An interrupt's own instructions that are counted: those before it halts the unit, and after.
    let own = EASY - progress(&pmu, EASY, EASY).expect("the kernel gets on").get();
    println!("the smallest period at which the kernel gets on is {}", own + 1);
    assert!(own + RESERVED < LEAST_IN_KERNEL, "the interrupt is longer than the driver expects: {own}");
    for period in [LEAST_IN_KERNEL, LEAST_IN_KERNEL + 1] {
        let rest = period.checked_sub(own).and_then(NonZero::new).expect("the kernel gets on");
        assert_eq!(progress(&pmu, period, rest.get()), Some(rest), "period {period}");
    }
    refuses(&pmu, LEAST_IN_KERNEL - 1);
}

fn refuses(pmu: &Pmu<Driver>, period: u64) {
    let least = Refusal::PeriodTooShort { least: LEAST_IN_KERNEL };
    let refused = pmu.open([INSTRUCTIONS.every(period)]).err();
    assert!(matches!(refused, Some(Error::Refused { request: 0, reason, .. }) if reason == least));
}

/// How many instructions the kernel gets on by from one sample to the next; it should be `rest`.
fn progress(pmu: &Pmu<Driver>, period: u64, rest: u64) -> Option<NonZero<u64>> {
    let mut session = pmu.open([INSTRUCTIONS.every(period)]).expect("the period is possible");
    let before = (accounted(), truth::overflows());
    session.start().expect("it is stopped");
    sled::run((PERIODS * rest).div_ceil(sled::LENGTH));
    session.stop().expect("it runs");
    assert_eq!(accounted() - before.0, truth::overflows() - before.1, "what was received and lost");
    the_same_distance()
}

fn accounted() -> u64 {
    let samples = UNIT.samples().expect("there is one reader");
    samples.received() + samples.lost().total()
}

/// From each sample in the row to the next, if it is the same.
fn the_same_distance() -> Option<NonZero<u64>> {
    let samples = UNIT.samples().expect("there is one reader");
    let mut places = samples.filter_map(|sample| sled::of(sample.address));
    let (first, second) = (places.next()?, places.next()?);
    let distance = sled::distance(first, second);
    let follows = |last, place| (sled::distance(last, place) == distance).then_some(place);
    places.try_fold(second, follows).and(NonZero::new(distance))
}
