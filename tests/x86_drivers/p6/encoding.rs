//! The encoding of requests, the reasons why some are refused, and their counters.

use pmu::arch::x86::p6::Capabilities;
use pmu::arch::x86::p6::Identity;
use pmu::driver::Plan;
use pmu::request::{Contention, Flag, Generic, Refusal};
use pmu::{CounterSet, Event, Modes, Request};

use crate::p6::{Bench, counter};

/// Branches retired (BR_INST_RETIRED).
const BRANCHES: Event = Event::raw(0x00C4);
/// Branches retired that were mispredicted (BR_MISS_PRED_RETIRED).
const BRANCH_MISSES: Event = Event::raw(0x00C5);
/// Cycles while not halted (CPU_CLK_UNHALTED).
const CYCLES: Event = Event::raw(0x0079);
/// Floating-point operations retired (FLOPS); on counter 0 alone.
const FLOPS: Event = Event::raw(0x00C1);
/// Instructions retired (INST_RETIRED).
const INSTRUCTIONS: Event = Event::raw(0x00C0);
/// Requests to the second-level cache that missed it (L2_RQSTS with the state I).
const L2_MISSES: Event = Event::raw(0x012E);
/// Requests to the second-level cache, whatever the state of the line (L2_RQSTS with the states M, E, S and I).
const L2_REQUESTS: Event = Event::raw(0x0F2E);
/// Loads and stores that cross a boundary of 64 bits (MISALIGN_MEM_REF).
const MISALIGNED_REFERENCES: Event = Event::raw(0x0005);
/// Branches retired that were taken (BR_TAKEN_RETIRED).
const TAKEN_BRANCHES: Event = Event::raw(0x00C9);

fn refusal(identity: &Identity, request: impl Into<Request>) -> Option<Refusal> {
    Bench::new(identity).encode(request).err()
}

fn of_iii(request: impl Into<Request>) -> Option<Refusal> {
    refusal(&Identity::PENTIUM_III, request)
}

fn instructions() -> Request {
    Request::new(Event::INSTRUCTIONS)
}

#[test]
fn every_generic_event_is_counted_or_refused_by_name() {
    for identity in &Identity::ALL {
        let refused = |event: &Generic| refusal(identity, Event::Generic(*event)) == Some(Refusal::UnknownEvent);
        let unknown: Vec<_> = Generic::ALL.into_iter().filter(refused).collect();
        assert_eq!(unknown, [Generic::ReferenceCycles, Generic::Slots], "{identity:?}");
    }
}

/// torvalds/linux arch/x86/events/intel/p6.c, `p6_perfmon_event_map`.
#[test]
fn generic_events_are_the_processors_own() {
    let driver = Bench::new(&Identity::PENTIUM_PRO).driver;
    let own = |generic| driver.native(generic).unwrap();
    assert_eq!([own(Generic::Cycles), own(Generic::Instructions)], [CYCLES, INSTRUCTIONS]);
    assert_eq!([own(Generic::Branches), own(Generic::BranchMisses)], [BRANCHES, BRANCH_MISSES]);
    assert_eq!([own(Generic::CacheReferences), own(Generic::CacheMisses)], [L2_REQUESTS, L2_MISSES]);
}

#[test]
fn bits_that_no_event_code_has_are_named() {
    assert_eq!(of_iii(Event::raw(1 << 20 | 0xC0)), Some(Refusal::ReservedBits(1 << 20)));
    assert_eq!(of_iii(Event::raw(1 << 32 | 0xC0)), Some(Refusal::ReservedBits(1 << 32)));
    assert_eq!(of_iii(Event::raw_with(0xC0, 7)), Some(Refusal::Auxiliary(7)));
}

#[test]
fn the_family_has_edges_inversions_and_pins_and_no_other_flag() {
    let granted = |flag: &Flag| of_iii(instructions().flag(*flag)) != Some(Refusal::Flag(*flag));
    let flags: Vec<_> = Flag::ALL.into_iter().filter(granted).collect();
    assert_eq!(flags, [Flag::Edge, Flag::Invert, Flag::PinControl]);
    assert_eq!(of_iii(instructions().flag(Flag::Invert)), Some(Refusal::NeedsThreshold(Flag::Invert)));
}

#[test]
fn a_mode_that_the_unit_cannot_tell_apart_is_refused() {
    for modes in [Modes::NONE, Modes::HYPERVISOR] {
        assert_eq!(of_iii(instructions().modes(modes)), Some(Refusal::Modes { able: Modes::ALL }));
    }
}

#[test]
fn a_pin_is_checked_against_the_unit_and_the_event() {
    let on = |event, number| of_iii(Request::new(event).pinned_to(counter(number)));
    assert_eq!(on(Event::CYCLES, 1), None);
    assert_eq!(on(Event::CYCLES, 2), Some(Refusal::NoSuchCounter(counter(2))));
    assert_eq!(on(FLOPS, 1), Some(Refusal::CounterCannot(counter(1))));
    assert_eq!(on(Event::raw(0x12), 0), Some(Refusal::CounterCannot(counter(0))));
}

#[test]
fn a_period_is_as_long_as_what_an_interrupt_takes_of_the_event() {
    let repeats = |request: Request, least: u64| {
        assert_eq!(of_iii(request.every(least - 1)), Some(Refusal::PeriodTooShort { least }), "{request:?}");
        assert_eq!(of_iii(request.every(least)), None, "{request:?}");
    };
    repeats(instructions(), Capabilities::LEAST_IN_KERNEL);
    repeats(Request::new(TAKEN_BRANCHES), Capabilities::LEAST_IN_KERNEL);
    repeats(Request::new(MISALIGNED_REFERENCES), 2);
    repeats(Request::new(Event::CYCLES), Capabilities::LEAST_OF_OTHERS_IN_KERNEL);
    repeats(Request::new(Event::CACHE_MISSES), Capabilities::LEAST_OF_OTHERS_IN_KERNEL);
    repeats(instructions().threshold(2), Capabilities::LEAST_OF_OTHERS_IN_KERNEL);
    repeats(instructions().modes(Modes::USER), 2);
}

#[test]
fn without_an_apic_periods_are_refused_with_the_way_out_and_counts_are_not() {
    let identity = Identity::PENTIUM_M.without_apic();
    let refused = [instructions().every(100_000), instructions().once_after(5)].map(|one| refusal(&identity, one));
    assert_eq!(refused, [Some(Refusal::NoInterrupt); 2]);
    assert!(Refusal::NoInterrupt.to_string().contains("use a Timer"));
    assert_eq!(refusal(&identity, instructions()), None);
}

#[test]
fn requests_that_could_go_elsewhere_make_room_for_those_that_could_not() {
    for (request, expected) in [(FLOPS, [1, 0]), (Event::raw(0x13), [0, 1])] {
        let bench = Bench::new(&Identity::PENTIUM_II);
        assert_eq!(bench.counters([Event::INSTRUCTIONS, request]).unwrap(), expected);
    }
}

#[test]
fn a_conflict_names_those_who_compete_and_for_what() {
    let bench = Bench::new(&Identity::PENTIUM_III);
    let conflict = bench.open([Event::INSTRUCTIONS, FLOPS, FLOPS]).unwrap_err();
    let first = Contention::Counters(CounterSet::first(1));
    assert_eq!((conflict.requests.bits(), conflict.over), (0b110, first));
    bench.open([Event::INSTRUCTIONS, Event::CYCLES]).unwrap();
    let full = bench.open([Event::INSTRUCTIONS]).unwrap_err();
    assert_eq!((full.requests.bits(), full.over), (1, Contention::Counters(CounterSet::EMPTY)));
}
