//! Requests that are possible one by one and not together are named, with what there is too little
//! of; nothing is programmed, and nothing is held.

use pmu::arch::Detected;
use pmu::arch::x86::intel::Beside;
use pmu::{Conflict, Contention, CounterId, CounterSet, Error, Event, Pmu, Request, Requests};

use super::amid::assert_all_free;
use crate::guest::truth;
use crate::guest::unit::{self, Driver, Unit};

static UNIT: Unit<0> = Unit::new();

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
const CYCLES: Request = Request::new(Event::CYCLES);
/// The fixed counter of instructions.
const FIXED: CounterSet = CounterSet::from_bits(1 << 32);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let before = truth::fingerprint();
    assert_counters_are_too_few(&pmu);
    assert_a_counter_counts_for_one(&pmu);
    assert_a_register_holds_one_value(&pmu);
    assert_eq!(truth::fingerprint(), before, "something was programmed");
    assert_all_free(&pmu);
}

fn conflict<const N: usize>(pmu: &Pmu<'static, Driver>, requests: [Request; N]) -> Conflict {
    match pmu.open(requests).err() {
        Some(Error::Conflict(conflict)) => conflict,
        other => panic!("these cannot be together: {other:?}"),
    }
}

fn assert_counters_are_too_few(pmu: &Pmu<'static, Driver>) {
    let unit = pmu.description();
    let able = unit.general.or(unit.fixed.and(FIXED));
    let conflict = conflict(pmu, [INSTRUCTIONS; 40]);
    assert_eq!(conflict.over, Contention::Counters(able));
    assert_eq!(conflict.requests.bits().count_ones(), able.len() + 1);
}

fn assert_a_counter_counts_for_one(pmu: &Pmu<'static, Driver>) {
    let pinned = INSTRUCTIONS.pinned_to(CounterId::ZERO);
    let over = Contention::Counters(CounterId::ZERO.only());
    assert_eq!(conflict(pmu, [CYCLES, pinned, pinned]), Conflict { requests: Requests::from_bits(0b110), over });
}

/// Off-core responses: a value for each register that there is, and one more.
fn assert_a_register_holds_one_value(pmu: &Pmu<'static, Driver>) {
    let response = |code, value| Request::new(Event::raw_with(code, value));
    let Detected::Intel(driver) = pmu.backend() else { return };
    let facts = driver.facts();
    let mut codes = facts.auxiliaries.iter().filter(|event| event.beside.is_alike(Beside::Offcore0));
    let conflict = match (codes.next().map(|event| event.code), codes.count()) {
        (None, _) => return,
        (Some(code), 0) => conflict(pmu, [1, 2].map(|value| response(code, value))),
        (Some(code), _) => conflict(pmu, [1, 2, 1, 4].map(|value| response(code, value))),
    };
    assert_eq!(conflict.over, Contention::Register(Beside::Offcore0.name()));
}
