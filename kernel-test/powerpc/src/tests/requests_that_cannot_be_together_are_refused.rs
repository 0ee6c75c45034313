//! Requests that are possible one by one and not together are named, with what there is too little
//! of; nothing is programmed, and nothing is held.

use pmu::{Conflict, Contention, CounterId, Error, Event, Modes, Pmu, Request, Requests};

use super::amid::assert_all_free;
use super::clocked;
use crate::family;
use crate::guest::registers;
use crate::guest::unit::{self, Driver, Unit};

static UNIT: Unit<0> = Unit::new();

const CYCLES: Request = Request::new(Event::CYCLES);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let before = registers::snapshot();
    assert_counters_are_too_few(&pmu);
    assert_a_counter_counts_for_one(&pmu);
    if !family::has_freezes_of_its_own(pmu.backend()) {
        assert_all_share_the_modes(&pmu);
    }
    assert_eq!(registers::snapshot(), before, "something was programmed");
    assert_all_free(&pmu);
}

fn conflict<const N: usize>(pmu: &Pmu<'static, Driver>, requests: [Request; N]) -> Conflict {
    match pmu.open(requests).err() {
        Some(Error::Conflict(conflict)) => conflict,
        other => panic!("these cannot be together: {other:?}"),
    }
}

/// Not every counter counts cycles; however many do, it is one too many.
fn assert_counters_are_too_few(pmu: &Pmu<'static, Driver>) {
    let conflict = conflict(pmu, [CYCLES; 9]);
    let Contention::Counters(able) = conflict.over else { panic!("{conflict:?}") };
    assert!(clocked::counters(&pmu.description()).covers(able));
    assert_eq!(conflict.requests.bits().count_ones(), able.len() + 1);
}

fn assert_a_counter_counts_for_one(pmu: &Pmu<'static, Driver>) {
    let pinned = clocked::request(CounterId::ZERO);
    let over = Contention::Counters(CounterId::ZERO.only());
    assert_eq!(conflict(pmu, [CYCLES, pinned, pinned]), Conflict { requests: Requests::from_bits(0b110), over });
}

/// Before Power ISA 2.07, which brought each counter's own freezes (MMCR2), all counters count in the
/// same modes.
fn assert_all_share_the_modes(pmu: &Pmu<'static, Driver>) {
    let conflict = conflict(pmu, [CYCLES.modes(Modes::USER), CYCLES.modes(Modes::KERNEL)]);
    assert_eq!(conflict.requests.bits(), 0b11);
    assert!(matches!(conflict.over, Contention::Register(_)), "{conflict:?}");
}
