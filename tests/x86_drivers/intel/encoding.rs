//! The encoding of requests, and the reasons why some are refused.

use pmu::arch::x86::intel::Capabilities;
use pmu::arch::x86::intel::Identity;
use pmu::request::{Flag, Generic, Refusal};
use pmu::{CounterSet, Event, Modes, Request};

use crate::intel::{Bench, counter};

/// Issue slots lost to the back end (Topdown Backend Bound).
const BACKEND_BOUND: Event = Event::raw(0x02A4);
/// Instructions retired (Instruction Retired).
const INSTRUCTIONS: Event = Event::raw(0x00C0);
/// Cycles at the rate of the time-stamp counter while not halted; on fixed counter 2 only.
const TIME_STAMP_CYCLES: Event = Event::raw(0x0300);

fn refusal(identity: &Identity, request: impl Into<Request>) -> Option<Refusal> {
    Bench::new(identity).encode(request).err()
}

fn instructions() -> Request {
    Request::new(Event::INSTRUCTIONS)
}

#[test]
fn every_generic_event_is_counted_or_refused_by_name() {
    let unknown = |identity: &Identity| {
        let refused = |event: &Generic| refusal(identity, Event::Generic(*event)) == Some(Refusal::UnknownEvent);
        Generic::ALL.into_iter().filter(refused).collect::<Vec<_>>()
    };
    assert_eq!(unknown(&Identity::CORE_DUO), [Generic::Slots]);
    assert_eq!(unknown(&Identity::NEHALEM), [Generic::Slots]);
    assert_eq!(unknown(&Identity::SAPPHIRE_RAPIDS), []);
}

#[test]
fn nehalem_counts_branch_misses_by_its_own_event() {
    let slots = Bench::new(&Identity::NEHALEM).open([Event::BRANCH_MISSES]).unwrap();
    assert_eq!(slots[0].bits & 0xFFFF, 0x7F89);
}

#[test]
fn an_event_that_only_a_fixed_counter_has_is_unknown_without_it() {
    assert_eq!(refusal(&Identity::CORE_DUO, TIME_STAMP_CYCLES), Some(Refusal::UnknownEvent));
    assert_eq!(refusal(&Identity::CORE_2, TIME_STAMP_CYCLES), None);
}

#[test]
fn bits_that_no_event_code_has_are_named() {
    let skylake = Event::raw(1 << 40 | 1 << 20 | 0xC0);
    assert_eq!(refusal(&Identity::SKYLAKE, skylake), Some(Refusal::ReservedBits(1 << 40 | 1 << 20)));
    assert_eq!(refusal(&Identity::LION_COVE, Event::raw(1 << 40 | 0x0112)), None);
}

#[test]
fn a_mode_that_the_unit_cannot_tell_apart_is_refused() {
    for modes in [Modes::NONE, Modes::HYPERVISOR, Modes::ALL.and(Modes::HYPERVISOR)] {
        assert_eq!(refusal(&Identity::SKYLAKE, instructions().modes(modes)), Some(Refusal::Modes { able: Modes::ALL }));
    }
}

#[test]
fn each_version_has_its_flags() {
    let lacks = |identity: &Identity| {
        let of_intel = |flag: &Flag| !matches!(flag, Flag::GuestOnly | Flag::HostOnly);
        let refused = |flag: &Flag| {
            let request = Request::new(Event::BRANCHES).flag(*flag);
            refusal(identity, request) == Some(Refusal::Flag(*flag))
        };
        Flag::ALL.into_iter().filter(of_intel).filter(refused).collect::<Vec<_>>()
    };
    assert_eq!(lacks(&Identity::CORE_2), [Flag::Equal, Flag::AnyThread]);
    assert_eq!(lacks(&Identity::NEHALEM), [Flag::Equal]);
    assert_eq!(lacks(&Identity::SKYLAKE), [Flag::Equal, Flag::PinControl]);
    assert_eq!(lacks(&Identity::LION_COVE), [Flag::AnyThread, Flag::PinControl]);
}

#[test]
fn an_inversion_needs_a_threshold_to_invert() {
    let inverted = Request::new(Event::BRANCHES).flag(Flag::Invert);
    assert_eq!(refusal(&Identity::SKYLAKE, inverted), Some(Refusal::NeedsThreshold(Flag::Invert)));
    assert_eq!(refusal(&Identity::SKYLAKE, inverted.threshold(1)), None);
}

#[test]
fn equal_and_inverted_exclude_each_other() {
    let both = Request::new(Event::BRANCHES).threshold(1).flag(Flag::Equal).flag(Flag::Invert);
    assert_eq!(refusal(&Identity::LION_COVE, both), Some(Refusal::FlagsExclude(Flag::Equal, Flag::Invert)));
}

#[test]
fn a_fixed_counter_has_no_threshold() {
    let refined = instructions().threshold(2);
    assert_eq!(refusal(&Identity::SKYLAKE, refined), None);
    assert_eq!(refusal(&Identity::SKYLAKE, refined.pinned_to(counter(32))), Some(Refusal::CounterCannot(counter(32))));
    let fixed_only = Request::new(Event::REFERENCE_CYCLES).threshold(2);
    assert_eq!(refusal(&Identity::SKYLAKE, fixed_only), Some(Refusal::ThresholdTooLarge { largest: 0 }));
}

#[test]
fn a_pin_is_checked_against_the_unit_and_the_event() {
    let on = |number| refusal(&Identity::NEHALEM, instructions().pinned_to(counter(number)));
    assert_eq!([on(3), on(32)], [None, None]);
    assert_eq!(on(4), Some(Refusal::NoSuchCounter(counter(4))));
    assert_eq!(on(33), Some(Refusal::CounterCannot(counter(33))));
}

#[test]
fn a_request_that_is_kept_to_counters_that_cannot_count_it_learns_which_could() {
    let kept = |from: u64| refusal(&Identity::NEHALEM, Request::new(Event::BRANCHES).on(CounterSet::from_bits(from)));
    assert_eq!(kept(0b0110), None);
    assert_eq!(kept(0b1 << 32 | 0b1000), None, "one of them is enough");
    let (asked, able) = (CounterSet::from_bits(0b11 << 32), CounterSet::first(4));
    let refused = Refusal::CountersCannot { asked, able };
    assert_eq!(kept(0b11 << 32), Some(refused));
    assert_eq!(refused.to_string(), "none of counters {32, 33} can count it, but counters {0, 1, 2, 3} can");
}

#[test]
fn a_period_of_one_is_refused() {
    assert_eq!(refusal(&Identity::SKYLAKE, instructions().once_after(1)), Some(Refusal::PeriodTooShort { least: 2 }));
    assert_eq!(refusal(&Identity::SKYLAKE, instructions().once_after(2)), None);
}

#[test]
fn a_period_that_the_handler_would_end_is_refused_unless_only_users_count() {
    let short = instructions().every(Capabilities::LEAST_IN_KERNEL - 1);
    let least = Refusal::PeriodTooShort { least: Capabilities::LEAST_IN_KERNEL };
    assert_eq!(refusal(&Identity::SKYLAKE, short), Some(least));
    assert_eq!(refusal(&Identity::SKYLAKE, short.modes(Modes::USER)), None);
    assert_eq!(refusal(&Identity::SKYLAKE, instructions().every(Capabilities::LEAST_IN_KERNEL)), None);
}

/// A clock goes on where the handler's instructions are few and slow; the least for instructions
/// would be a storm.
#[test]
fn what_is_not_plain_instructions_needs_a_period_longer_than_an_interrupt_takes() {
    let repeats = |request: Request, least: u64| {
        let refused = |period| refusal(&Identity::SAPPHIRE_RAPIDS, request.every(period));
        assert_eq!(refused(least - 1), Some(Refusal::PeriodTooShort { least }), "{request:?}");
        assert_eq!(refused(least), None, "{request:?}");
        assert_eq!(refusal(&Identity::SAPPHIRE_RAPIDS, request.modes(Modes::USER).every(2)), None, "{request:?}");
        assert_eq!(refusal(&Identity::SAPPHIRE_RAPIDS, request.once_after(2)), None, "{request:?}");
    };
    for event in [Event::CYCLES, Event::REFERENCE_CYCLES, Event::BRANCHES, Event::raw(0x01B1)] {
        repeats(Request::new(event), Capabilities::LEAST_OF_OTHERS_IN_KERNEL);
    }
    repeats(instructions().threshold(1).flag(Flag::Invert), Capabilities::LEAST_OF_OTHERS_IN_KERNEL);
    for event in [Event::SLOTS, BACKEND_BOUND] {
        repeats(Request::new(event), Capabilities::LEAST_OF_SLOTS_IN_KERNEL);
    }
    repeats(Request::new(INSTRUCTIONS), Capabilities::LEAST_IN_KERNEL);
}

#[test]
fn an_auxiliary_value_needs_an_event_and_bits_that_have_it() {
    let skylake = |code, auxiliary| refusal(&Identity::SKYLAKE, Event::raw_with(code, auxiliary));
    assert_eq!(skylake(0x01B7, 0x10001), None);
    assert_eq!(skylake(0x01B7, 0x7001), Some(Refusal::Auxiliary(0x7000)));
    assert_eq!(skylake(0x00C4, 5), Some(Refusal::Auxiliary(5)));
}

/// Its counter counts nothing without PEBS, which needs a buffer in memory.
#[test]
fn the_latency_of_loads_is_refused_and_the_reason_given() {
    let reason = |identity, code| match refusal(identity, Event::raw_with(code, 30)) {
        Some(Refusal::Impossible(reason)) => reason,
        other => panic!("{other:?}"),
    };
    for reason in [reason(&Identity::NEHALEM, 0x100B), reason(&Identity::SKYLAKE, 0x01CD)] {
        assert!(reason.contains("precise sampling"), "{reason}");
    }
}

#[test]
fn a_models_own_event_is_not_lent_to_another_model() {
    let frontend = Event::raw_with(0x01C6, 0x11);
    assert_eq!(refusal(&Identity::NEHALEM, frontend), Some(Refusal::Auxiliary(0x11)));
    assert_eq!(refusal(&Identity::SKYLAKE, frontend), None);
}
