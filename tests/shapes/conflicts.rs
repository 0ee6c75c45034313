//! Conflicts name the requests, and the register or the counters.

use pmu::{Conflict, Contention, CounterSet, Error, Event, Modes, Request, Requests, Unit};

use crate::Shape;
use crate::pentium4::Pentium4;
use crate::processor::Processor;
use crate::ultrasparc::UltraSparc;

const fn raw(code: u64) -> Request {
    Request::new(Event::raw(code))
}

/// What refuses `new` while `kept` is open.
fn conflict<S: Shape, const K: usize, const N: usize>(kept: [Request; K], new: [Request; N]) -> Conflict {
    let unit: Unit<S::Driver, 0> = Unit::new();
    let pmu = unit.claim(S::driver(Processor::new())).unwrap();
    let _kept = pmu.open(kept).unwrap();
    match pmu.open(new) {
        Err(Error::Conflict(conflict)) => conflict,
        other => panic!("{other:?}"),
    }
}

fn over_counters(requests: u64, counters: u64) -> Conflict {
    Conflict::new(Requests::from_bits(requests), Contention::Counters(CounterSet::from_bits(counters)))
}

fn over_register(requests: u64, name: &'static str) -> Conflict {
    Conflict::new(Requests::from_bits(requests), Contention::Register(name))
}

#[test]
fn a_third_value_for_two_event_selectors_names_one_of_them() {
    let [itlb, one, two, three] = [raw(0x118), raw(0x117), raw(0x217), raw(0x317)];
    assert_eq!(conflict::<Pentium4, 0, 4>([], [itlb, one, two, three]), over_register(0b1110, "MSR_FSB_ESCR0"));
    assert_eq!(conflict::<Pentium4, 2, 2>([one, two], [itlb, three]), over_register(0b10, "MSR_FSB_ESCR0"));
}

#[test]
fn a_fifth_request_for_four_counters_that_share_a_selector_names_the_counters() {
    assert_eq!(conflict::<Pentium4, 0, 5>([], [raw(0x117); 5]), over_counters(0b1_1111, 0b1111));
}

#[test]
fn other_modes_than_the_neighbours_name_pcr() {
    assert_eq!(conflict::<UltraSparc, 1, 1>([raw(0)], [raw(1).modes(Modes::KERNEL)]), over_register(0b1, "%pcr"));
}
