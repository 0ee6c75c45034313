//! The encoding of requests, and the reasons why some are refused.

use pmu::arch::x86::amd::Capabilities;
use pmu::arch::x86::amd::Identity;
use pmu::request::{Flag, Generic, Refusal};
use pmu::{Event, Modes, Request};

use crate::amd::{Bench, counter};

/// Misaligned data references (DC_misaligned_data_ref).
const MISALIGNED_REFERENCES: Event = Event::raw(0x0047);
/// Branches retired that were taken.
const TAKEN_BRANCHES: Event = Event::raw(0x00C4);
/// Floating-point operations retired, up to 64 in a cycle: a large increment, which needs two counters; Zen.
const ZEN_FLOPS: Event = Event::raw(0xFF03);

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
    let caches = [Generic::CacheReferences, Generic::CacheMisses];
    assert_eq!(unknown(&Identity::K7), [&[Generic::ReferenceCycles], &caches[..], &[Generic::Slots]].concat());
    assert_eq!(unknown(&Identity::K8), [Generic::ReferenceCycles, Generic::Slots]);
    assert_eq!(unknown(&Identity::FAMILY_16H), [&[Generic::ReferenceCycles], &caches[..], &[Generic::Slots]].concat());
    assert_eq!(unknown(&Identity::ZEN_2), [Generic::ReferenceCycles, Generic::Slots]);
    assert_eq!(unknown(&Identity::ZEN_4), [Generic::Slots]);
}

#[test]
fn zen_counts_cache_references_by_its_own_event() {
    let code = |identity| Bench::new(identity).open([Event::CACHE_MISSES]).unwrap()[0].bits & 0xFFFF;
    assert_eq!([code(&Identity::FAMILY_10H), code(&Identity::ZEN_2)], [0x077E, 0x0964]);
}

#[test]
fn bits_that_no_event_code_has_are_named() {
    let high = Event::raw(0x0001_0000_00C0);
    assert_eq!(refusal(&Identity::K8, high), Some(Refusal::ReservedBits(1 << 32)));
    assert_eq!(refusal(&Identity::FAMILY_10H, high), None);
    let interrupting = Event::raw(1 << 20 | 0xC0);
    assert_eq!(refusal(&Identity::ZEN_4, interrupting), Some(Refusal::ReservedBits(1 << 20)));
}

#[test]
fn no_event_takes_an_auxiliary_value() {
    assert_eq!(refusal(&Identity::ZEN_4, Event::raw_with(0xC0, 7)), Some(Refusal::Auxiliary(7)));
}

#[test]
fn what_the_northbridge_counts_is_not_the_cores() {
    let says_so = |identity, code| {
        let refusal = refusal(identity, Event::raw(code)).map(|refusal| refusal.to_string());
        refusal.is_some_and(|refusal| refusal.starts_with("it is an event of the northbridge"))
    };
    assert!(says_so(&Identity::K8, 0x00E0) && says_so(&Identity::FAMILY_10H, 0x0004_0000_00E1));
    assert!(says_so(&Identity::FAMILY_15H, 0x00E0) && says_so(&Identity::FAMILY_16H, 0x00E0));
    assert_eq!(refusal(&Identity::FAMILY_10H, Event::raw(0x0001_0000_00C0)), None);
    assert_eq!(refusal(&Identity::FAMILY_15H, Event::raw(0x0000_00A0)), Some(Refusal::UnknownEvent));
}

#[test]
fn what_family_16hs_second_level_cache_counts_by_itself_is_not_the_cores() {
    let unknown = |code| refusal(&Identity::FAMILY_16H, Event::raw(code)) == Some(Refusal::UnknownEvent);
    assert!([0x0060, 0x077D, 0x077E, 0x007F].into_iter().all(unknown));
    assert!(![0x0062, 0x0076, 0x0147].into_iter().any(unknown));
}

#[test]
fn the_event_that_merges_is_nobodys_to_ask_for() {
    let merge = Event::raw(0x000F_0000_00FF);
    assert_eq!(refusal(&Identity::ZEN_2, merge), Some(Refusal::UnknownEvent));
}

#[test]
fn a_mode_that_the_unit_cannot_tell_apart_is_refused() {
    for modes in [Modes::NONE, Modes::HYPERVISOR, Modes::ALL.and(Modes::HYPERVISOR)] {
        assert_eq!(refusal(&Identity::K8, instructions().modes(modes)), Some(Refusal::Modes { able: Modes::ALL }));
    }
}

#[test]
fn each_generation_has_its_flags() {
    let has = |identity: &Identity| {
        let granted = |flag: &Flag| refusal(identity, instructions().flag(*flag)) != Some(Refusal::Flag(*flag));
        Flag::ALL.into_iter().filter(granted).collect::<Vec<_>>()
    };
    let old = [Flag::Edge, Flag::Invert, Flag::PinControl];
    let new = [Flag::Edge, Flag::Invert, Flag::GuestOnly, Flag::HostOnly];
    assert_eq!([&Identity::K7, &Identity::K8].map(has), [old; 2]);
    let since = [&Identity::FAMILY_10H, &Identity::FAMILY_15H, &Identity::FAMILY_16H, &Identity::ZEN_4];
    assert_eq!(since.map(has), [new; 4]);
}

#[test]
fn an_inversion_needs_a_threshold_to_invert() {
    let inverted = instructions().flag(Flag::Invert);
    assert_eq!(refusal(&Identity::K8, inverted), Some(Refusal::NeedsThreshold(Flag::Invert)));
    assert_eq!(refusal(&Identity::K8, inverted.threshold(1)), None);
}

#[test]
fn a_pin_is_checked_against_the_unit_and_the_event() {
    let on = |identity, event, number| refusal(identity, Request::new(event).pinned_to(counter(number)));
    assert_eq!(on(&Identity::K8, Event::CYCLES, 3), None);
    assert_eq!(on(&Identity::K8, Event::CYCLES, 4), Some(Refusal::NoSuchCounter(counter(4))));
    assert_eq!(on(&Identity::FAMILY_15H, Event::CYCLES, 3), Some(Refusal::CounterCannot(counter(3))));
    assert_eq!(on(&Identity::ZEN_2, ZEN_FLOPS, 1), Some(Refusal::CounterCannot(counter(1))));
    assert_eq!(on(&Identity::ZEN_2, ZEN_FLOPS, 4), None);
}

#[test]
fn a_period_is_as_short_as_its_interrupt_allows() {
    let least = Refusal::PeriodTooShort { least: Capabilities::LEAST_IN_KERNEL };
    let short = instructions().every(Capabilities::LEAST_IN_KERNEL - 1);
    assert_eq!(refusal(&Identity::K8, short), Some(least));
    assert_eq!(refusal(&Identity::K8, short.modes(Modes::USER)), None);
    assert_eq!(refusal(&Identity::K8, instructions().once_after(1)), Some(Refusal::PeriodTooShort { least: 2 }));
}

#[test]
fn a_period_in_the_kernel_is_as_long_as_what_an_interrupt_takes_of_the_event() {
    let repeats = |request: Request, least: u64| {
        let short = Refusal::PeriodTooShort { least };
        assert_eq!(refusal(&Identity::K8, request.every(least - 1)), Some(short), "{request:?}");
        assert_eq!(refusal(&Identity::K8, request.every(least)), None, "{request:?}");
    };
    repeats(Request::new(Event::BRANCHES), Capabilities::LEAST_IN_KERNEL);
    repeats(Request::new(TAKEN_BRANCHES), Capabilities::LEAST_IN_KERNEL);
    repeats(Request::new(MISALIGNED_REFERENCES), 2);
    repeats(Request::new(Event::CYCLES), Capabilities::LEAST_OF_OTHERS_IN_KERNEL);
    repeats(Request::new(Event::CACHE_MISSES), Capabilities::LEAST_OF_OTHERS_IN_KERNEL);
    repeats(instructions().threshold(2), Capabilities::LEAST_OF_OTHERS_IN_KERNEL);
}

/// The boundaries that the BKDGs name for event 47H.
#[test]
fn what_a_misaligned_reference_crosses_depends_on_the_processor() {
    let across = |identity: Identity| identity.capabilities().microarchitecture.misaligned_across();
    assert_eq!([Identity::K8, Identity::FAMILY_10H, Identity::FAMILY_15H].map(across), [Some(8), Some(16), Some(8)]);
    assert_eq!([Identity::FAMILY_16H, Identity::ZEN_4].map(across), [Some(16), Some(64)]);
    assert_eq!([Identity::K7, Identity::ZEN_2].map(across), [None; 2]);
}
