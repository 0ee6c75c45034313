//! What is compared with a threshold, from where to where, and the threshold itself are in MMCRA where each
//! processor has them, once: a second event may have the same, and one that needs another is told so. Where
//! there is none, that is said.

use harness::accounts::assert_all_free;
use pmu::request::{Contention, Refusal};
use pmu::{CounterId, Error, Event, Pmu, Request};

use super::clocked;
use crate::family;
use crate::guest::Here;
use crate::guest::unit::{self, Driver, Unit};

/// The two upper bits of a mantissa.
const FULL: u64 = 0b11;

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let mut counters = pmu.description().general.into_iter();
    let (first, second) = (counters.next().expect("a unit has two"), counters.next().expect("a unit has two"));
    let over = |counter, exponent| family::over_threshold(counter, exponent, FULL);
    if let (Some(here), Some(there), Some(more)) = (over(first, 1), over(second, 1), over(second, 2)) {
        assert_it_stands(&pmu, here);
        assert_it_is_shared(&pmu, [here, there, more].map(|(event, ..)| Request::new(event)));
        assert_it_is_as_exact_as_can_be(&pmu, first);
    } else {
        let refused = pmu.open([clocked::request(first).threshold(1)]).err();
        assert!(
            matches!(refused, Some(Error::Refused { reason: Refusal::ThresholdTooLarge { largest: 0 }, .. })),
            "{refused:?}"
        );
    }
    assert_all_free::<Here>(&pmu);
}

fn assert_it_stands(pmu: &Pmu<'static, Driver>, (event, all, expected): (Event, u64, u64)) {
    let mut session = pmu.open([Request::new(event)]).expect("it can be counted");
    session.start().expect("it is stopped");
    assert_eq!(family::sampling() & all, expected, "MMCRA");
}

fn assert_it_is_shared(pmu: &Pmu<'static, Driver>, [here, there, more]: [Request; 3]) {
    drop(pmu.open([here, there]).expect("both need the same"));
    let Some(Error::Conflict(conflict)) = pmu.open([here, more]).err() else { panic!("each needs its own") };
    let Contention::Register(name) = conflict.over else { panic!("{conflict:?}") };
    assert!(name.contains("THRESH_CMP"), "{name}");
}

/// A mantissa whose upper bits are 0 has a smaller exponent.
fn assert_it_is_as_exact_as_can_be(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    let (event, ..) = family::over_threshold(counter, 1, 0).expect("there are thresholds");
    let refused = pmu.open([Request::new(event)]).err();
    assert!(matches!(refused, Some(Error::Refused { reason: Refusal::Impossible(_), .. })), "{refused:?}");
}
