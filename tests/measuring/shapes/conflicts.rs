//! Conflicts name the requests, and the register or the counters.

use pmu::request::{Conflict, Contention, Refusal, Requests};
use pmu::{CounterSet, Error, Event, Modes, Request, Unit};

use crate::shapes::Shape;
use crate::shapes::pentium4::Pentium4;
use crate::shapes::processor::Processor;
use crate::shapes::ultrasparc::UltraSparc;

const fn raw(code: u64) -> Request {
    Request::new(Event::raw(code))
}

/// What refuses `new` while `kept` is open. It has the events of `new`.
fn conflict<S: Shape, const K: usize, const N: usize>(kept: [Request; K], new: [Request; N]) -> Conflict {
    let unit: Unit<S::Driver, 0> = Unit::new();
    let pmu = unit.claim(S::driver(Processor::new())).unwrap();
    let _kept = pmu.open(kept).unwrap();
    match pmu.open(new) {
        Err(Error::Conflict(conflict)) => {
            let Conflict { requests, over, .. } = conflict;
            assert_eq!(conflict, Conflict::new(requests, over).among(&new));
            Conflict::new(requests, over)
        }
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

#[test]
fn a_single_request_for_which_no_counter_is_free_is_told_so() {
    let text = over_counters(0b1, 0).to_string();
    let beside = "request 0 cannot be counted beside what is open: no counter that can count it is free; close what uses them, \
                  or rotate groups of requests (Multiplex)";
    assert_eq!(text, beside);
}

#[test]
fn a_conflict_is_printed_with_the_events_that_are_in_it() {
    let requests =
        [Event::CYCLES, Event::INSTRUCTIONS, Event::raw(0x117), Event::BRANCHES, Event::SLOTS].map(Request::new);
    let printed = |bits| {
        let text = over_register(bits, "R").among(&requests).to_string();
        text.split_once(" cannot").map(|(names, _)| names.to_owned()).unwrap()
    };
    assert_eq!(printed(0b10), "request 1 (instructions)");
    assert_eq!(printed(0b101), "requests {0, 2} (cycles, event 0x117)");
    assert_eq!(printed(0b1_1111), "requests {0, 1, 2, 3, 4} (cycles, instructions and others)");
}

#[test]
fn an_event_that_no_counter_counts_is_refused_with_the_way_to_those_that_are_counted() {
    let error = Error::Refused { request: 0, event: Event::BRANCHES, name: None, reason: Refusal::UnknownEvent };
    let text = "request 0 (branches): no counter of this unit counts it; Native::all lists the generic events that it counts, \
                Plan::catalogue its own";
    assert_eq!(error.to_string(), text);
}
