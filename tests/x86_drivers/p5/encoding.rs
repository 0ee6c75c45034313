//! What a request takes, and why one is refused.

use pmu::arch::x86::p5::Identity;
use pmu::request::{Contention, Flag, Refusal};
use pmu::{Event, Modes, Request};

use crate::p5::{Bench, counter};

/// Pipeline flushes due to branches that were mispredicted or not predicted; with MMX, on counter 0.
const BRANCH_MISSES: Event = Event::raw(0x35);
/// Cycles while not halted; with MMX, on counter 0.
const CYCLES: Event = Event::raw(0x30);
/// Branches that were taken; with MMX, on counter 1.
const TAKEN_BRANCHES: Event = Event::raw(0x1_0032);

fn refusal(identity: &Identity, request: impl Into<Request>) -> Option<Refusal> {
    Bench::new(identity).encode(request).err()
}

#[test]
fn events_of_mmx_are_unknown_without_it() {
    let events = [CYCLES, BRANCH_MISSES, TAKEN_BRANCHES, Event::CYCLES, Event::BRANCH_MISSES];
    for event in events {
        assert_eq!(refusal(&Identity::P5, event), Some(Refusal::UnknownEvent), "{event}");
        assert_eq!(refusal(&Identity::P5_MMX, event), None, "{event}");
    }
    assert_eq!(Refusal::UnknownEvent.to_string(), "no counter of this unit counts it");
}

/// SDM vol. 3, "Pentium Processor Performance Monitoring Events": 10H, 11H, 20H and 21H are reserved, and 39H of counter 1.
#[test]
fn reserved_numbers_are_no_events() {
    for code in [0x10, 0x11, 0x20, 0x21, 0x3C, 0x3F, 0x1_0039, 0x1_0016] {
        assert_eq!(refusal(&Identity::P5_MMX, Event::raw(code)), Some(Refusal::UnknownEvent), "{code:#x}");
    }
    assert_eq!(refusal(&Identity::P5, Event::raw(0xD6)), Some(Refusal::ReservedBits(0xC0)));
    assert_eq!(refusal(&Identity::P5, Event::raw(0x0416)), Some(Refusal::ReservedBits(0x0400)));
    assert_eq!(refusal(&Identity::P5, Event::raw_with(0x16, 2)), Some(Refusal::Auxiliary(2)));
}

#[test]
fn an_event_is_on_the_counter_that_has_it() {
    let on = |event, number| refusal(&Identity::P5_MMX, Request::new(event).pinned_to(counter(number)));
    assert_eq!([on(CYCLES, 0), on(CYCLES, 1)], [None, Some(Refusal::CounterCannot(counter(1)))]);
    assert_eq!([on(Event::CYCLES, 0), on(Event::CYCLES, 1)], [None, Some(Refusal::CounterCannot(counter(1)))]);
    let taken = TAKEN_BRANCHES;
    assert_eq!([on(taken, 0), on(taken, 1)], [Some(Refusal::CounterCannot(counter(0))), None]);
    assert_eq!(on(taken, 2), Some(Refusal::NoSuchCounter(counter(2))));
    assert_eq!(Refusal::CounterCannot(counter(1)).to_string(), "counter 1 cannot count it");
}

#[test]
fn what_the_counters_do_not_have_is_refused() {
    let request = Request::new(Event::INSTRUCTIONS);
    let refusals = [
        (request.threshold(1), Refusal::ThresholdTooLarge { largest: 0 }),
        (request.flag(Flag::Edge), Refusal::Flag(Flag::Edge)),
        (request.flag(Flag::Invert), Refusal::Flag(Flag::Invert)),
        (request.modes(Modes::NONE), Refusal::Modes { able: Modes::ALL }),
        (request.modes(Modes::HYPERVISOR), Refusal::Modes { able: Modes::ALL }),
        (request.every(1000), Refusal::NoInterrupt),
        (request.every(0), Refusal::NoInterrupt),
    ];
    for (request, expected) in refusals {
        assert_eq!(refusal(&Identity::P5_MMX, request), Some(expected));
    }
    assert_eq!(refusal(&Identity::P5, request.flag(Flag::PinControl)), None);
}

#[test]
fn requests_make_room_for_each_other() {
    let bench = Bench::new(&Identity::P5_MMX);
    assert_eq!(bench.counters([Event::INSTRUCTIONS, Event::CYCLES]), Ok([1, 0]));
    let bench = Bench::new(&Identity::P5_MMX);
    assert_eq!(bench.counters([Event::INSTRUCTIONS, TAKEN_BRANCHES]), Ok([0, 1]));
}

#[test]
fn two_events_of_one_counter_conflict() {
    let bench = Bench::new(&Identity::P5_MMX);
    let conflict = bench.counters([Event::CYCLES, Event::BRANCH_MISSES]).unwrap_err();
    assert!(matches!(conflict.over, Contention::Counters(_)));
    let words = "requests {0, 1} cannot be counted together: only counter 0 is free for them; rotate groups of requests \
                 (Multiplex)";
    assert_eq!(conflict.to_string(), words);
    assert_eq!(bench.counters([Event::CYCLES, TAKEN_BRANCHES]), Ok([0, 1]), "they go together");
}
