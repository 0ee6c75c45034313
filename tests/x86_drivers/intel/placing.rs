//! Which counters and which registers beside them requests get.

use pmu::arch::x86::intel::Identity;
use pmu::arch::x86::{Msr, Window};
use pmu::driver::{Control, Plan};
use pmu::request::Contention;
use pmu::virt::Device as _;
use pmu::{CounterSet, Event, Request};

use crate::intel::{Bench, counter};

/// Cycles of a reference clock while not halted (UnHalted Reference Cycles), on a general counter. On many models
const REFERENCE_CYCLES: Event = Event::raw(0x013C);

const OFFCORE: u64 = 0x01B7;

fn offcore(value: u64) -> Event {
    Event::raw_with(OFFCORE, value)
}

#[test]
fn a_plain_event_takes_the_fixed_counter_and_then_a_general_one() {
    let bench = Bench::new(&Identity::SKYLAKE);
    assert_eq!(bench.counters([Event::INSTRUCTIONS]).unwrap(), [32]);
    assert!(bench.counters([Event::INSTRUCTIONS]).unwrap()[0] < 8);
}

#[test]
fn all_counters_of_a_unit_can_be_in_use_at_once() {
    let bench = Bench::new(&Identity::NEHALEM);
    let events = [Event::CYCLES, Event::INSTRUCTIONS, Event::REFERENCE_CYCLES, Event::BRANCHES, Event::CACHE_MISSES];
    bench.open(events).unwrap();
    bench.open([Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    let conflict = bench.open([Event::INSTRUCTIONS]).unwrap_err();
    assert_eq!((conflict.requests.bits(), conflict.over), (1, Contention::Counters(CounterSet::EMPTY)));
}

#[test]
fn reference_cycles_do_not_change_their_clock_when_the_fixed_counter_is_taken() {
    let bench = Bench::new(&Identity::SKYLAKE);
    assert_eq!(bench.counters([Event::REFERENCE_CYCLES]).unwrap(), [34]);
    assert!(bench.open([Event::REFERENCE_CYCLES]).is_err());
    assert!(bench.counters([REFERENCE_CYCLES]).unwrap()[0] < 8);
}

#[test]
fn a_released_counter_is_free_again() {
    let bench = Bench::new(&Identity::CORE_DUO);
    let slots = bench.open([Event::CYCLES, Event::BRANCHES]).unwrap();
    assert!(bench.open([Event::CYCLES]).is_err());
    bench.driver.release(&bench.image, slots[0].occupies());
    assert_eq!(bench.open([Event::CYCLES]).unwrap()[0].counter, slots[0].counter);
}

#[test]
fn two_offcore_values_take_a_register_each_and_its_event() {
    let bench = Bench::new(&Identity::SKYLAKE);
    let slots = bench.open([offcore(0x10001), offcore(0x10002)]).unwrap();
    assert_eq!(slots.map(|slot| slot.bits & 0xFFFF), [0x01B7, 0x01BB]);
    let device = bench.driver.registers();
    assert_eq!([Msr::OFFCORE_0, Msr::OFFCORE_1].map(|at| device.try_read(at)), [Ok(0x10001), Ok(0x10002)]);
}

#[test]
fn a_third_offcore_value_conflicts_and_says_with_whom_and_over_what() {
    let bench = Bench::new(&Identity::SKYLAKE);
    let requests = [Event::CYCLES, offcore(1), offcore(2), offcore(4)];
    let conflict = bench.open(requests).unwrap_err();
    assert_eq!((conflict.requests.bits(), conflict.over), (0b1110, Contention::Register("MSR_OFFCORE_RSP_0")));
}

#[test]
fn a_conflict_does_not_name_those_that_share_what_is_there() {
    let bench = Bench::new(&Identity::SKYLAKE);
    bench.open([offcore(1), offcore(2)]).unwrap();
    let conflict = bench.open([offcore(1), offcore(4)]).unwrap_err();
    assert_eq!(conflict.requests.bits(), 0b10);
}

#[test]
fn requests_with_one_offcore_value_share_its_register() {
    let bench = Bench::new(&Identity::NEHALEM);
    let slots = bench.open([offcore(0x4001), offcore(0x4001), offcore(0x4001)]).unwrap();
    assert_eq!(slots.map(|slot| slot.bits & 0xFFFF), [OFFCORE; 3]);
}

#[test]
fn an_offcore_register_is_kept_until_its_last_user_is_gone() {
    let bench = Bench::new(&Identity::NEHALEM);
    let [first, second] = bench.open([offcore(1), offcore(1)]).unwrap();
    bench.driver.release(&bench.image, first.occupies());
    let conflict = bench.open([offcore(2)]).unwrap_err();
    assert_eq!((conflict.requests.bits(), conflict.over), (1, Contention::Register("MSR_OFFCORE_RSP_0")));
    bench.driver.release(&bench.image, second.occupies());
    bench.open([offcore(2)]).unwrap();
    assert_eq!(bench.driver.registers().try_read(Msr::OFFCORE_0), Ok(2));
}

#[test]
fn golden_coves_offcore_events_have_other_codes() {
    let bench = Bench::new(&Identity::SAPPHIRE_RAPIDS);
    let ocr = |value| Event::raw_with(0x012A, value);
    let slots = bench.open([ocr(0x10001), ocr(0x10002)]).unwrap();
    assert_eq!(slots.map(|slot| slot.bits & 0xFFFF), [0x012A, 0x012B]);
}

/// Golden Cove has three events of the front end's register, and one does not stand for another.
#[test]
fn events_of_one_register_keep_their_codes_and_share_its_value_or_conflict() {
    let bench = Bench::new(&Identity::SAPPHIRE_RAPIDS);
    let [branches, again] = [Event::raw_with(0x40AD, 7); 2];
    let slots = bench.open([branches, again]).unwrap();
    assert_eq!(slots.map(|slot| slot.bits & 0xFFFF), [0x40AD; 2]);
    assert_eq!(bench.driver.registers().try_read(Msr::FRONTEND), Ok(7));
    let conflict = bench.open([Event::raw_with(0x01C6, 0x11)]).unwrap_err();
    assert_eq!((conflict.requests.bits(), conflict.over), (1, Contention::Register("MSR_PEBS_FRONTEND")));
}

#[test]
fn a_placement_moves_and_rewrites_nothing_that_is_there() {
    let bench = Bench::new(&Identity::SKYLAKE);
    let first = bench.open([Event::INSTRUCTIONS, Event::BRANCHES]).unwrap();
    let select = Msr::select(first[1].counter.number()).unwrap();
    let device = bench.driver.registers();
    let before = device.try_read(select).unwrap();
    bench.open([Event::CYCLES, Event::BRANCH_MISSES]).unwrap();
    assert_eq!(device.try_read(select), Ok(before));
    assert_eq!(device.try_read(Msr::FIXED_CONTROL), Ok(0xBB), "both modes and the interrupt, twice");
}

#[test]
fn pinned_requests_get_their_counters_and_the_others_make_room() {
    let bench = Bench::new(&Identity::CORE_2);
    let pinned = Request::from(Event::BRANCHES).pinned_to(counter(1));
    assert_eq!(bench.counters([Request::from(Event::BRANCHES), pinned]).unwrap(), [0, 1]);
}

#[test]
fn requests_that_are_kept_to_some_counters_make_room_for_each_other() {
    let bench = Bench::new(&Identity::NEHALEM);
    let low = Request::from(Event::BRANCHES).on(CounterSet::first(2));
    let lowest = Request::from(Event::BRANCH_MISSES).pinned_to(counter(0));
    assert_eq!(bench.counters([low, lowest]).unwrap(), [1, 0]);
    let conflict = Bench::new(&Identity::NEHALEM).open([low, low, lowest]).unwrap_err();
    assert_eq!((conflict.requests.bits(), conflict.over), (0b111, Contention::Counters(CounterSet::first(2))));
}

#[test]
fn a_counter_that_is_not_announced_is_never_written() {
    let bench = Bench::new(&Identity::CORE_DUO);
    let saved = bench.claim();
    bench.open([Event::CYCLES, Event::INSTRUCTIONS]).unwrap();
    bench.driver.restore(&saved);
    let device = bench.driver.registers();
    assert!(device.try_read(Msr::counter(Window::Narrow, 2).unwrap()).is_err(), "the device faults there");
}
