//! Sampling as often as the driver lets one sample in the kernel, every sample is at its place and the kernel gets on;
//! for less, the request is refused.

use core::num::NonZero;

use pmu::request::Refusal;
use pmu::{Error, Request};

use crate::accounts::accounted;
use crate::claim::{least_period, sampling};
use crate::distance::Distance;
use crate::{Claimed, Effort, Kernel};

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    // Interrupts are far apart, and a place in the row is one place.
    let easy = K::ROW - 24;
    for request in K::kinds(&pmu.description()).into_iter().map(K::densest_request) {
        // An interrupt's own instructions that are counted: those before it halts the unit, and after.
        let own = easy - progress::<K>(&pmu, request, easy, easy).expect("the kernel gets on").get();
        let least = least_period::<K>(&pmu, request);
        assert!(own + K::RESERVED < least, "the interrupt is longer than the driver expects: {own} of {least}");
        let stride = if Effort::chosen() == Effort::Sample { 4 } else { 1 };
        for period in K::tried(8).step_by(stride).map(|number| least + number - 1) {
            let rest = period.checked_sub(own).and_then(NonZero::new).expect("the kernel gets on");
            assert_eq!(progress::<K>(&pmu, request, period, rest.get()), Some(rest), "period {period}");
        }
        let refused = pmu.open([request.every(least - 1)]).err();
        let reason = Refusal::PeriodTooShort { least };
        assert!(matches!(refused, Some(Error::Refused { request: 0, reason: given, .. }) if given == reason));
    }
}

/// How many instructions the kernel gets on by from one sample to the next; it should be `rest`.
fn progress<K: Kernel>(pmu: &Claimed<K>, request: Request, period: u64, rest: u64) -> Option<NonZero<u64>> {
    let periods = 2 * BEFORE_DOUBLED as u64;
    let mut session = pmu.open([request.every(period)]).expect("the period is possible");
    accounted(K::unit());
    let before = (received_and_lost::<K>(), K::overflows(), K::unit().sample_statistics().lost.throttled);
    session.start().expect("it is stopped");
    K::run_row((periods * rest).div_ceil(K::ROW));
    session.stop().expect("it runs");
    let throttled = K::unit().sample_statistics().lost.throttled;
    let taken = received_and_lost::<K>() - before.0 - (throttled - before.2);
    assert_eq!(taken, K::overflows() - before.1, "what was received and lost");
    the_same_distance::<K>()
}

fn received_and_lost<K: Kernel>() -> u64 {
    let samples = K::unit().samples().expect("there is one reader");
    samples.received() + samples.lost().total()
}

/// The samples of a period that its interrupts take more than an eighth of: after so many in a row it is doubled.
const BEFORE_DOUBLED: usize = 8;

/// From each sample in the row to the next, if it is the same, as long as no period is doubled.
fn the_same_distance<K: Kernel>() -> Option<NonZero<u64>> {
    let mut distance = Distance::default();
    let mut samples = K::unit().samples().expect("there is one reader");
    let is_the_same = samples.by_ref().take(BEFORE_DOUBLED).all(|sample| distance.is_kept::<K>(&sample));
    samples.discard();
    distance.known().filter(|_| is_the_same)
}
