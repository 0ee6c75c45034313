//! Requests that are possible one by one and not together are named, with what there is too little of; nothing is
//! programmed, and nothing is held.

use pmu::request::{Conflict, Contention, Requests};
use pmu::{Error, Event, Request};

use crate::accounts::assert_all_free;
use crate::claim::claim;
use crate::{Claimed, Kernel};

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
const CYCLES: Request = Request::new(Event::CYCLES);
/// More than any unit has counters.
const MANY: usize = 40;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = claim::<K>();
    let before = K::registers();
    assert_counters_are_too_few::<K>(&pmu);
    assert_a_counter_counts_for_one::<K>(&pmu);
    assert_eq!(K::registers(), before, "something was programmed");
    assert_all_free::<K>(&pmu);
}

fn conflict<K: Kernel, const N: usize>(pmu: &Claimed<K>, requests: [Request; N]) -> Conflict {
    match pmu.open(requests).err() {
        Some(Error::Conflict(conflict)) => conflict,
        other => panic!("these cannot be together: {other:?}"),
    }
}

/// However many counters count instructions, it is one request too many.
fn assert_counters_are_too_few<K: Kernel>(pmu: &Claimed<K>) {
    let conflict = conflict::<K, MANY>(pmu, [INSTRUCTIONS; MANY]);
    let Contention::Counters(able) = conflict.over else { panic!("{conflict:?}") };
    let unit = pmu.description();
    assert!(!able.is_empty() && unit.general.or(unit.fixed).covers(able), "{able:?}");
    assert_eq!(conflict.requests.bits().count_ones(), able.len() + 1);
}

fn assert_a_counter_counts_for_one<K: Kernel>(pmu: &Claimed<K>) {
    let counter = K::counters(&pmu.description()).lowest().expect("there are counters");
    let pinned = K::request(counter);
    let beside = if K::counts_cycles_twice() { CYCLES } else { INSTRUCTIONS };
    let over = Contention::Counters(counter.only());
    let requests = [beside, pinned, pinned];
    assert_eq!(conflict::<K, 3>(pmu, requests), Conflict::new(Requests::from_bits(0b110), over).among(&requests));
}
