//! Sampling as often as the driver lets one sample in the kernel, every sample is at its place and
//! the kernel gets on; for less, the request is refused.

use core::num::NonZero;

use pmu::{CounterId, Error, Pmu, Refusal};

use super::clocked;
use crate::console::println;
use crate::gic;
use crate::kernel::unit::{self, Driver, Unit};
use crate::kernel::{enter_interrupts_at, sled, truth};

/// How many periods to sample, at least.
const PERIODS: u64 = 1000;
/// A period whose interrupts are far apart.
const EASY: u64 = 4000;

static UNIT: Unit<2048> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        // An interrupt's own instructions that are counted: those before it halts the unit, and after.
        let own = EASY - progress(&pmu, counter, EASY, EASY).expect("the kernel gets on").get();
        println!("{counter:?}: the smallest period at which the kernel gets on is {}", own + 1);
        let least = clocked::least_in_kernel(counter);
        for period in least..least + 8 {
            let rest = period.checked_sub(own).and_then(NonZero::new).expect("the kernel gets on");
            assert_eq!(progress(&pmu, counter, period, rest.get()), Some(rest), "period {period}");
        }
        refuses(&pmu, counter, least - 1);
    }
}

fn refuses(pmu: &Pmu<Driver>, counter: CounterId, period: u64) {
    let least = Refusal::PeriodTooShort { least: clocked::least_in_kernel(counter) };
    let refused = pmu.open([clocked::request(counter).every(period)]).err();
    assert!(matches!(refused, Some(Error::Refused { request: 0, reason, .. }) if reason == least));
}

/// How many instructions the kernel gets on by from one sample to the next; it should be `rest`.
fn progress(pmu: &Pmu<Driver>, counter: CounterId, period: u64, rest: u64) -> Option<NonZero<u64>> {
    let mut session = pmu.open([clocked::request(counter).every(period)]).expect("the period is possible");
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
