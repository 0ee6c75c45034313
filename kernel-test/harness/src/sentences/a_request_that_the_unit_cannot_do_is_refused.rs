//! A request that the unit cannot do is named with what is wrong with it; nothing is programmed, and nothing is held.

use pmu::request::Refusal;
use pmu::{CounterId, Error, Event, Modes, Request};

use crate::accounts::assert_all_free;
use crate::claim::claim;
use crate::{Claimed, Kernel};

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
const CYCLES: Request = Request::new(Event::CYCLES);

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = claim::<K>();
    let before = K::registers();
    let unit = pmu.description();
    let absent = (0..64).filter_map(CounterId::new).find(|&counter| !unit.general.or(unit.fixed).contains(counter));
    let absent = absent.expect("no unit has 64 counters");
    // A unit that tells no modes apart counts in all of them together.
    let able = if unit.modes == Modes::NONE { Modes::ALL } else { unit.modes };
    for (request, reason) in [
        (INSTRUCTIONS.every(0), Refusal::PeriodZero),
        (INSTRUCTIONS.once_after(0), Refusal::PeriodZero),
        (INSTRUCTIONS.modes(Modes::NONE), Refusal::Modes { able }),
        (INSTRUCTIONS.pinned_to(absent), Refusal::NoSuchCounter(absent)),
    ] {
        assert_refused::<K>(&pmu, request, reason);
    }
    K::each_impossible(&unit, |request, reason| assert_refused::<K>(&pmu, request, reason));
    assert_eq!(K::registers(), before, "something was programmed");
    assert_all_free::<K>(&pmu);
    let longest = pmu.open([INSTRUCTIONS.every(u64::MAX)]);
    assert!(longest.is_ok() || !K::has_interrupts(), "a period may be longer than a counter");
}

fn assert_refused<K: Kernel>(pmu: &Claimed<K>, request: Request, reason: Refusal) {
    let expected = Error::Refused { request: 1, event: request.event, name: request.name, reason };
    let beside = if K::counts_cycles_twice() { CYCLES } else { INSTRUCTIONS };
    assert_eq!(pmu.open([beside, request, beside]).err(), Some(expected), "{request:?}");
}
