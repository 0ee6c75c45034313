//! Each request is encoded or refused with the reason.

use pmu::arch::sparc::niagara::Capabilities;
use pmu::arch::sparc::niagara::Identity;
use pmu::driver::{Plan, counters_for};
use pmu::request::{Flag, Generic, Refusal};
use pmu::{CounterSet, Event, Modes, Request};

use crate::niagara::{PIC0, driver, pic1};

/// Cycles in which no strand of the core was ready; from T2 on.
const IDLE_STRANDS: Event = Event::raw(0x000);
/// Instructions completed; T1, pic1.
const T1_INSTRUCTIONS: Event = Event::raw(0x100);

fn refusal(identity: &Identity, request: Request) -> Option<Refusal> {
    driver(identity).encode(&request).err()
}

fn of_code(identity: &Identity, code: u64) -> Option<Refusal> {
    refusal(identity, Request::new(Event::raw(code)))
}

fn counters(identity: &Identity, event: Event) -> CounterSet {
    counters_for(&driver(identity), &Request::new(event))
}

#[test]
fn t1_counts_instructions_on_pic1_alone_and_all_else_on_pic0() {
    assert_eq!(counters(&Identity::T1, Event::INSTRUCTIONS), pic1().only());
    assert_eq!(counters(&Identity::T1, T1_INSTRUCTIONS), pic1().only());
    assert!((0..8).all(|code| counters(&Identity::T1, Event::raw(code)) == PIC0.only()));
    let pinned = Request::new(Event::INSTRUCTIONS).pinned_to(PIC0);
    assert_eq!(refusal(&Identity::T1, pinned), Some(Refusal::CounterCannot(PIC0)));
}

#[test]
fn both_counters_of_t2_count_every_event() {
    assert_eq!(counters(&Identity::T2, Event::INSTRUCTIONS), CounterSet::first(2));
    assert_eq!(counters(&Identity::T3, IDLE_STRANDS), CounterSet::first(2));
}

#[test]
fn codes_that_no_event_has_are_refused() {
    assert_eq!(of_code(&Identity::T1, 0x1008), Some(Refusal::ReservedBits(0x1008)));
    assert_eq!(of_code(&Identity::T1, 0x101), Some(Refusal::UnknownEvent));
    assert_eq!(of_code(&Identity::T2, 0x1201), Some(Refusal::ReservedBits(0x1000)));
    assert_eq!(of_code(&Identity::T2, 0x3CD), Some(Refusal::ReservedBits(0xCC)));
    assert_eq!(of_code(&Identity::T2, 0x101), Some(Refusal::UnknownEvent));
    assert!(matches!(of_code(&Identity::T2, 0x200), Some(Refusal::Impossible(_))));
}

#[test]
fn t3_has_more_masks_of_its_ciphers_than_t2() {
    assert_eq!(of_code(&Identity::T2, 0x680), Some(Refusal::ReservedBits(0x80)));
    assert_eq!([0x680, 0x7FF].map(|code| of_code(&Identity::T3, code)), [None; 2]);
}

#[test]
fn masks_of_one_group_can_be_combined() {
    assert_eq!([0x203, 0x303, 0x52F, 0xB0C].map(|code| of_code(&Identity::T2, code)), [None; 4]);
}

#[test]
fn a_period_of_l2_load_misses_is_refused_and_the_way_out_is_named() {
    let sampled = |code| Request::new(Event::raw(code)).modes(Modes::USER).every(10_000);
    for code in [0x320, 0x330] {
        let text = refusal(&Identity::T2, sampled(code)).expect("erratum 108").to_string();
        assert!(text.contains("erratum 108") && text.contains("Timer"), "{text}");
        assert_eq!(of_code(&Identity::T2, code), None, "it can be counted");
    }
    assert_eq!(refusal(&Identity::T2, sampled(0x310)), None);
    assert_eq!(refusal(&Identity::T2, sampled(0x220)), None);
    assert_eq!(refusal(&Identity::T1, sampled(7)), None, "T1 has no such erratum");
}

#[test]
fn the_hypervisor_is_counted_only_with_the_right_to_it() {
    let all = Modes::ALL.and(Modes::HYPERVISOR);
    for modes in [Modes::HYPERVISOR, all] {
        let request = Request::new(Event::INSTRUCTIONS).modes(modes);
        assert_eq!(refusal(&Identity::T2, request), Some(Refusal::Modes { able: Modes::ALL }));
        assert_eq!(refusal(&Identity::T1, request), Some(Refusal::Modes { able: Modes::ALL }));
        assert_eq!(refusal(&Identity::T2_HYPERVISOR, request), None);
    }
    assert_eq!(driver(&Identity::T2_HYPERVISOR).description().modes, all);
    let none = Request::new(Event::INSTRUCTIONS).modes(Modes::NONE);
    assert_eq!(refusal(&Identity::T2_HYPERVISOR, none), Some(Refusal::Modes { able: all }));
}

#[test]
fn generic_events_are_libcpcs_and_there_are_no_cycles() {
    let native = |identity: &Identity, generic| driver(identity).native(generic).ok();
    assert_eq!(native(&Identity::T1, Generic::Instructions), Some(T1_INSTRUCTIONS));
    assert_eq!(native(&Identity::T2, Generic::Instructions), Some(Event::raw(0x2FD)));
    assert_eq!(native(&Identity::T3, Generic::Branches), Some(Event::raw(0x201)));
    for generic in [Generic::Cycles, Generic::BranchMisses, Generic::CacheMisses] {
        assert_eq!([&Identity::T1, &Identity::T2].map(|identity| native(identity, generic)), [None; 2]);
    }
    assert_eq!(refusal(&Identity::T2, Request::new(Event::CYCLES)), Some(Refusal::UnknownEvent));
}

#[test]
fn what_the_unit_does_not_have_is_refused() {
    let instructions = Request::new(Event::INSTRUCTIONS);
    assert_eq!(refusal(&Identity::T2, instructions.flag(Flag::Edge)), Some(Refusal::Flag(Flag::Edge)));
    assert_eq!(refusal(&Identity::T2, instructions.threshold(1)), Some(Refusal::ThresholdTooLarge { largest: 0 }));
    assert_eq!(refusal(&Identity::T2, Request::new(Event::raw_with(0x201, 4))), Some(Refusal::Auxiliary(4)));
    let short = instructions.every(Capabilities::LEAST_IN_KERNEL - 1);
    assert_eq!(refusal(&Identity::T2, short), Some(Refusal::PeriodTooShort { least: Capabilities::LEAST_IN_KERNEL }));
    assert_eq!(refusal(&Identity::T2, short.modes(Modes::USER)), None);
}
