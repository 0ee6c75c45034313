//! Each request is encoded or refused with the reason.

use pmu::arch::sparc::Half;
use pmu::arch::sparc::ultrasparc::Capabilities;
use pmu::arch::sparc::ultrasparc::Identity;
use pmu::driver::{Overflow, Plan, counters_for};
use pmu::request::{Flag, Generic, Refusal};
use pmu::{CounterSet, Event, Modes, Request};

use crate::ultrasparc::{PIC0, driver, pic1};

/// Cycles (Cycle_cnt); both counters.
const CYCLES: Event = Event::raw(0);
/// Reads of the data cache (DC_rd); pic0.
const DATA_READS: Event = Event::raw(0x109);
/// References to the external cache (EC_ref); I to IV, pic0.
const EXTERNAL_REFERENCES: Event = Event::raw(0x10C);
/// Instructions completed (Instr_cnt); both counters.
const INSTRUCTIONS: Event = Event::raw(1);

/// The event that `half` counts by this selector.
const fn on(half: Half, select: u8) -> Event {
    Event::raw(1 << (8 + half.number()) | select as u64)
}

fn refusal(identity: &Identity, request: Request) -> Option<Refusal> {
    driver(identity).encode(&request).err()
}

fn counters(identity: &Identity, event: Event) -> CounterSet {
    counters_for(&driver(identity), &Request::new(event))
}

#[test]
fn cycles_and_instructions_are_on_both_counters_and_other_events_on_theirs() {
    for identity in &Identity::ALL {
        for event in [Event::CYCLES, Event::INSTRUCTIONS, CYCLES, INSTRUCTIONS] {
            assert_eq!(counters(identity, event), CounterSet::first(2), "{}", identity.name());
        }
        assert_eq!(counters(identity, DATA_READS), PIC0.only());
        assert_eq!(counters(identity, on(Half::Pic1, 0xD)), pic1().only());
    }
    let pinned = Request::new(EXTERNAL_REFERENCES).pinned_to(pic1());
    assert_eq!(refusal(&Identity::III, pinned), Some(Refusal::CounterCannot(pic1())));
}

#[test]
fn a_bare_selector_is_the_event_of_the_counter_that_the_request_is_pinned_to() {
    let request = Request::new(Event::raw(0xC));
    assert_eq!([PIC0, pic1()].map(|pin| refusal(&Identity::II, request.pinned_to(pin))), [None; 2]);
    let text = refusal(&Identity::II, request).expect("it could be either").to_string();
    assert!(text.contains("pin the request to one"), "{text}");
    assert_eq!(counters(&Identity::II, Event::raw(0xC)), CounterSet::first(2));
}

#[test]
fn bits_that_no_selector_has_are_refused() {
    let of_code = |identity, code| refusal(identity, Request::new(Event::raw(code)));
    assert_eq!(of_code(&Identity::II, 0x114), Some(Refusal::ReservedBits(0x10)), "a selector has four bits there");
    assert_eq!(of_code(&Identity::III, 0x114), None);
    assert_eq!(of_code(&Identity::III, 0x140), Some(Refusal::ReservedBits(0x40)));
    assert_eq!(of_code(&Identity::III, 0x1_0101), Some(Refusal::ReservedBits(0x1_0000)), "pic0 alone has one selector");
    assert_eq!(of_code(&Identity::III_PLUS, 0x28_031B), None);
    assert_eq!(of_code(&Identity::III, 1 << 10), Some(Refusal::ReservedBits(1 << 10)));
}

/// illumos-gate, us234_pcbe.c: I and II have no CPC_CAP_OVERFLOW_INTERRUPT.
#[test]
fn before_iii_periods_are_refused_because_nothing_interrupts() {
    for identity in &Identity::ALL[..3] {
        let request = Request::new(Event::INSTRUCTIONS).every(100_000);
        assert_eq!(refusal(identity, request), Some(Refusal::NoInterrupt), "{}", identity.name());
        assert_eq!(driver(identity).description().overflow, Overflow::None);
    }
    for identity in &Identity::ALL[3..] {
        let request = Request::new(Event::INSTRUCTIONS).every(100_000);
        assert_eq!(refusal(identity, request), None, "{}", identity.name());
        assert_eq!(driver(identity).description().overflow, Overflow::Interrupt);
    }
}

#[test]
fn generic_events_are_what_each_processor_has() {
    let native = |identity: &Identity, generic| driver(identity).native(generic).ok();
    let pic = on;
    assert_eq!(native(&Identity::II, Generic::Cycles), Some(Event::raw(0)));
    assert_eq!(native(&Identity::II, Generic::CacheReferences), Some(pic(Half::Pic0, 0xC)));
    assert_eq!(native(&Identity::II, Generic::CacheMisses), None, "it counts hits: EC_hit");
    assert_eq!(native(&Identity::III, Generic::CacheMisses), Some(pic(Half::Pic1, 0xC)));
    assert_eq!(native(&Identity::IV_PLUS, Generic::CacheMisses), Some(pic(Half::Pic1, 0x31)));
    assert_eq!(native(&Identity::IV_PLUS, Generic::CacheReferences), None);
    assert_eq!(native(&Identity::III, Generic::Branches), None);
}

#[test]
fn what_the_unit_does_not_have_is_refused() {
    let instructions = Request::new(Event::INSTRUCTIONS);
    assert_eq!(refusal(&Identity::III, instructions.flag(Flag::Edge)), Some(Refusal::Flag(Flag::Edge)));
    assert_eq!(refusal(&Identity::III, instructions.threshold(1)), Some(Refusal::ThresholdTooLarge { largest: 0 }));
    assert_eq!(refusal(&Identity::III, Request::new(Event::raw_with(1, 4))), Some(Refusal::Auxiliary(4)));
    for modes in [Modes::NONE, Modes::HYPERVISOR] {
        assert_eq!(refusal(&Identity::III, instructions.modes(modes)), Some(Refusal::Modes { able: Modes::ALL }));
    }
    let short = instructions.every(Capabilities::LEAST_IN_KERNEL - 1);
    assert_eq!(refusal(&Identity::III, short), Some(Refusal::PeriodTooShort { least: Capabilities::LEAST_IN_KERNEL }));
    assert_eq!(refusal(&Identity::III, short.modes(Modes::USER)), None);
}
