//! The placement of requests on counters and pairs.

use pmu::arch::aarch64::pmuv3::Capabilities;
use pmu::driver::Control;
use pmu::request::{Conflict, Contention, Requests};
use pmu::{CounterId, CounterSet, Event, Request};

use crate::aarch64::{Bench, counter, plain, with};

/// Cycles, on an event counter (CPU_CYCLES).
const CYCLES: Event = Event::raw(0x0011);

fn long() -> Request {
    Request::new(Event::BRANCHES).every(1 << 40)
}

fn short() -> Request {
    Request::new(Event::BRANCHES)
}

#[test]
fn a_pair_is_an_odd_counter_and_the_even_one_before_it() {
    let slots = Bench::new(plain()).open([long(), long(), long()]).unwrap();
    for slot in slots {
        let (upper, lower) = (slot.counter.number(), slot.partner.unwrap().number());
        assert_eq!((upper % 2, lower), (1, upper - 1));
    }
    let all = slots.iter().fold(CounterSet::EMPTY, |all, slot| all.or(slot.occupies()));
    assert_eq!(all, CounterSet::first(6));
}

#[test]
fn an_odd_number_of_counters_leaves_the_last_one_single() {
    let bench = Bench::new(with(plain(), |it| it.event_counters = 3));
    let slots = bench.open([long(), short()]).unwrap();
    assert_eq!(slots.map(|slot| slot.counter.number()), [1, 2]);
}

#[test]
fn a_single_request_makes_room_for_a_pair() {
    let bench = Bench::new(with(plain(), |it| it.event_counters = 4));
    let slots = bench.open([short(), short(), long()]).unwrap();
    let [first, second, pair] = slots.map(|slot| slot.occupies());
    assert!(first.or(second).and(pair).is_empty() && pair.len() == 2);
}

#[test]
fn pairs_that_do_not_fit_are_named() {
    let bench = Bench::new(with(plain(), |it| it.event_counters = 4));
    bench.open([short().pinned_to(counter(1))]).unwrap();
    let conflict = bench.counters([long(), long()]).unwrap_err();
    assert_eq!(conflict, Conflict::new(Requests::from_bits(0b11), Contention::Counters(CounterSet::from_bits(0b100))));
}

#[test]
fn more_requests_than_counters_are_a_conflict_even_of_pairs() {
    let bench = Bench::new(plain());
    assert!(bench.counters([long(); 4]).is_err());
    assert!(bench.counters([long(); 40]).is_err());
    assert!(bench.counters([short(); 7]).is_err());
}

#[test]
fn cycles_leave_the_event_counters_to_others() {
    let bench = Bench::new(plain());
    let placed = bench.counters([Request::new(Event::CYCLES), short(), short(), short(), short(), short(), short()]);
    assert_eq!(placed.map(|counters| counters[0]), Ok(31));
}

#[test]
fn cycles_go_to_the_one_kind_of_counter_that_was_asked_for() {
    let of_unit = CounterId::new(Capabilities::CYCLE_COUNTER).unwrap();
    let open = |request: Request| Bench::new(plain()).open([request]).map(|[slot]| slot.counter);
    assert_eq!(open(Request::new(Event::CYCLES)), Ok(of_unit));
    assert_eq!(open(Request::new(Event::CYCLES).pinned_to(of_unit)), Ok(of_unit));
    assert!(open(Request::new(CYCLES)).is_ok_and(|counter| counter.number() < Capabilities::CYCLE_COUNTER));
    let bench = Bench::new(plain());
    let [first, second] = [Event::CYCLES; 2].map(|event| Request::new(event).pinned_to(of_unit));
    assert!(bench.open([first, second]).is_err(), "it does not go to an event counter then");
}

#[test]
fn two_requests_for_cycles_take_the_cycle_counter_and_an_event_counter() {
    assert_eq!(Bench::new(plain()).counters([Event::CYCLES; 2]), Ok([31, 5]));
}

#[test]
fn what_runs_is_not_moved() {
    let bench = Bench::new(with(plain(), |it| it.event_counters = 2));
    let [slot] = bench.open([short()]).unwrap();
    assert!(bench.counters([long()]).is_err());
    bench.driver.release(&bench.image, slot.occupies());
    assert_eq!(bench.counters([long()]), Ok([1]));
}
