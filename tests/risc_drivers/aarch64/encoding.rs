//! The encoding of requests, and the reasons why some are refused.

use pmu::arch::aarch64::pmuv3::{Announced, Capabilities, Machine, Privilege};
use pmu::request::{Flag, Refusal};
use pmu::{CounterSet, Event, Modes, Request};

use crate::aarch64::{Bench, counter, newest, of_64_bits, plain, with, without};

/// Branches retired (BR_RETIRED).
const BRANCHES: Event = Event::raw(0x0021);
/// Cycles, on an event counter (CPU_CYCLES).
const CYCLES: Event = Event::raw(0x0011);

fn refusal(capabilities: Capabilities, request: impl Into<Request>) -> Refusal {
    Bench::new(capabilities).encode(request).unwrap_err()
}

/// The selection of the one request that was opened on event counter 0.
fn selected(capabilities: Capabilities, request: impl Into<Request>) -> u64 {
    let bench = Bench::new(capabilities);
    bench.open([request.into().pinned_to(counter(0))]).unwrap();
    bench.file().get(pmu::arch::aarch64::SystemRegister::select(0).unwrap())
}

#[test]
fn a_common_event_that_is_not_announced_is_refused() {
    assert_eq!(refusal(without(1 << 0x21, 0), Event::BRANCHES), Refusal::UnknownEvent);
    assert_eq!(refusal(without(1 << 0x21, 0), BRANCHES), Refusal::UnknownEvent);
    assert_eq!(refusal(without(0, 1 << 4), Event::REFERENCE_CYCLES), Refusal::UnknownEvent);
    assert!(Bench::new(without(1 << 0x22, 0)).encode(BRANCHES).is_ok());
}

#[test]
fn an_event_of_the_implementations_own_passes() {
    let silent = with(plain(), |it| (it.version, it.announced) = (1, Announced::default()));
    for code in [0x40, 0xC0, 0x3FF, 0x400, 0x4040, 0x8000, 0xC0C0, 0xFFFF] {
        assert!(Bench::new(silent).encode(Event::raw(code)).is_ok(), "{code:#x}");
    }
}

#[test]
fn a_reserved_number_is_no_event() {
    let capabilities = with(plain(), |it| it.version = 1);
    for code in [0x9000, 0xA123, 0xC0BF] {
        assert_eq!(refusal(capabilities, Event::raw(code)), Refusal::UnknownEvent, "{code:#x}");
    }
}

#[test]
fn version_0_has_ten_bits_for_an_event_and_the_others_sixteen() {
    assert_eq!(refusal(plain(), Event::raw(0x4004)), Refusal::ReservedBits(0x4000));
    assert_eq!(refusal(of_64_bits(), Event::raw(0x1_0011)), Refusal::ReservedBits(0x1_0000));
    assert_eq!(refusal(plain(), Event::raw_with(0x11, 1)), Refusal::Auxiliary(1));
}

#[test]
fn half_of_a_pair_is_no_event() {
    assert_eq!(refusal(plain(), Event::raw(0x1E)), Refusal::UnknownEvent);
}

#[test]
fn cycles_have_a_counter_of_their_own_by_their_generic_name_alone() {
    let bench = Bench::new(plain());
    assert_eq!(bench.counters([Event::CYCLES]), Ok([31]));
    assert_eq!(bench.counters([CYCLES]), Ok([5]));
    assert_eq!(refusal(plain(), Request::new(CYCLES).pinned_to(counter(31))), Refusal::CounterCannot(counter(31)));
}

#[test]
fn instructions_have_one_where_there_is_one() {
    assert_eq!(Bench::new(newest()).counters([Event::INSTRUCTIONS]), Ok([32]));
    assert_eq!(Bench::new(of_64_bits()).counters([Event::INSTRUCTIONS]), Ok([5]));
}

/// What it counts needs no announcement.
#[test]
fn a_counter_of_its_own_counts_what_event_counters_do_not() {
    let bench = Bench::new(without(1 << 0x11, 0));
    assert_eq!(bench.counters([Event::CYCLES]), Ok([31]));
    assert_eq!(bench.encode(CYCLES).unwrap_err(), Refusal::UnknownEvent);
}

#[test]
fn mispredictions_that_retired_are_preferred_to_all() {
    assert_eq!(selected(plain(), Event::BRANCH_MISSES), 0x22);
    assert_eq!(selected(without(1 << 0x22, 0), Event::BRANCH_MISSES), 0x10);
}

#[test]
fn references_and_misses_are_of_one_level_of_cache() {
    let pair = |low: u64| {
        let capabilities = without(low, 0);
        (selected(capabilities, Event::CACHE_REFERENCES), selected(capabilities, Event::CACHE_MISSES))
    };
    assert_eq!(pair(0), (0x36, 0x37));
    assert_eq!(pair(1 << 0x37), (0x32, 0x33));
    assert_eq!(pair(1 << 0x36 | 1 << 0x33), (0x2B, 0x2A));
    assert_eq!(pair(1 << 0x36 | 1 << 0x33 | 1 << 0x2B), (0x16, 0x17));
    let none = without(1 << 0x36 | 1 << 0x33 | 1 << 0x2B | 1 << 0x16, 0);
    assert_eq!(refusal(none, Event::CACHE_MISSES), Refusal::UnknownEvent);
}

#[test]
fn slots_that_were_lost_are_not_taken_for_slots() {
    assert_eq!(refusal(newest(), Event::SLOTS), Refusal::UnknownEvent);
}

#[test]
fn a_level_that_is_not_there_is_not_counted() {
    assert_eq!(
        refusal(plain(), Request::new(Event::BRANCHES).modes(Modes::HYPERVISOR)),
        Refusal::Modes { able: Modes::ALL }
    );
    assert_eq!(refusal(plain(), Request::new(Event::BRANCHES).modes(Modes::NONE)), Refusal::Modes { able: Modes::ALL });
}

/// Whoever runs at EL2 would count nothing of itself else.
#[test]
fn the_kernel_of_a_driver_at_el2_is_el2_too() {
    let capabilities = with(plain(), |it| (it.privilege, it.has_hypervisor) = (Privilege::El2, true));
    assert_eq!(selected(capabilities, Event::BRANCHES), 0x0800_0021);
    assert_eq!(selected(capabilities, Request::new(Event::BRANCHES).modes(Modes::USER)), 0x8000_0021);
    assert_eq!(selected(capabilities, Request::new(Event::BRANCHES).modes(Modes::HYPERVISOR)), 0xC800_0021);
    let at_el1 = with(capabilities, |it| it.privilege = Privilege::El1);
    assert_eq!(selected(at_el1, Event::BRANCHES), 0x21);
}

#[test]
fn guests_are_told_from_their_host_at_el2_by_the_kernel_alone() {
    let capabilities = with(plain(), |it| (it.privilege, it.has_hypervisor) = (Privilege::El2, true));
    let kernel = Request::new(Event::BRANCHES).modes(Modes::KERNEL);
    assert_eq!(selected(capabilities, kernel.flag(Flag::GuestOnly)), 0x4000_0021);
    assert_eq!(selected(capabilities, kernel.flag(Flag::HostOnly)), 0xC800_0021);
    let both = kernel.flag(Flag::GuestOnly).flag(Flag::HostOnly);
    assert_eq!(refusal(capabilities, both), Refusal::FlagsExclude(Flag::GuestOnly, Flag::HostOnly));
    let able = Modes::KERNEL.and(Modes::HYPERVISOR);
    assert_eq!(refusal(capabilities, Request::new(Event::BRANCHES).flag(Flag::HostOnly)), Refusal::Modes { able });
    let hypervisor = kernel.modes(Modes::HYPERVISOR).flag(Flag::GuestOnly);
    assert_eq!(refusal(capabilities, hypervisor), Refusal::Modes { able: Modes::KERNEL });
}

#[test]
fn at_el1_nobody_is_a_guest() {
    let capabilities = with(plain(), |it| it.has_hypervisor = true);
    let request = Request::new(Event::BRANCHES).modes(Modes::KERNEL).flag(Flag::GuestOnly);
    assert_eq!(refusal(capabilities, request), Refusal::Flag(Flag::GuestOnly));
}

#[test]
fn thresholds_are_refused_where_there_are_none() {
    assert_eq!(
        refusal(of_64_bits(), Request::new(Event::BRANCHES).threshold(1)),
        Refusal::ThresholdTooLarge { largest: 0 }
    );
    assert_eq!(refusal(of_64_bits(), Request::new(Event::BRANCHES).flag(Flag::Equal)), Refusal::Flag(Flag::Equal));
    assert_eq!(refusal(of_64_bits(), Request::new(Event::BRANCHES).flag(Flag::Edge)), Refusal::Flag(Flag::Edge));
}

#[test]
fn a_threshold_is_as_large_as_its_field() {
    let wide = |bits: u64| with(plain(), |it| (it.version, it.machine) = (8, Machine(bits << 20)));
    for (bits, largest) in [(1, 1), (4, 15), (8, 255)] {
        let capabilities = wide(bits);
        assert!(Bench::new(capabilities).encode(Request::new(Event::BRANCHES).threshold(largest)).is_ok());
        if let Some(beyond) = largest.checked_add(1) {
            let refused = refusal(capabilities, Request::new(Event::BRANCHES).threshold(beyond));
            assert_eq!(refused, Refusal::ThresholdTooLarge { largest });
        }
    }
    assert!(Bench::new(wide(12)).encode(Request::new(Event::BRANCHES).threshold(255)).is_ok());
}

#[test]
fn a_comparison_needs_something_to_compare_with() {
    let request = Request::new(Event::BRANCHES);
    assert_eq!(refusal(newest(), request.flag(Flag::Equal)), Refusal::NeedsThreshold(Flag::Equal));
    assert_eq!(refusal(newest(), request.flag(Flag::Invert)), Refusal::NeedsThreshold(Flag::Invert));
    let both = request.threshold(2).flag(Flag::Invert).flag(Flag::Equal);
    assert_eq!(refusal(newest(), both), Refusal::FlagsExclude(Flag::Equal, Flag::Invert));
}

#[test]
fn only_event_counters_have_thresholds() {
    let bench = Bench::new(newest());
    assert_eq!(bench.counters([Request::new(Event::INSTRUCTIONS).threshold(2)]), Ok([5]));
    let pinned = Request::new(Event::CYCLES).threshold(1).pinned_to(counter(31));
    assert_eq!(bench.encode(pinned).unwrap_err(), Refusal::CounterCannot(counter(31)));
}

#[test]
fn a_counter_that_is_not_there_is_named() {
    let request = Request::new(Event::BRANCHES);
    assert_eq!(refusal(plain(), request.pinned_to(counter(6))), Refusal::NoSuchCounter(counter(6)));
    assert_eq!(refusal(plain(), request.pinned_to(counter(32))), Refusal::NoSuchCounter(counter(32)));
}

#[test]
fn a_period_that_the_handler_would_fill_is_refused() {
    let request = |event, modes| Request::new(event).modes(modes).every(2);
    let least = |least| Refusal::PeriodTooShort { least };
    assert_eq!(refusal(plain(), request(Event::INSTRUCTIONS, Modes::ALL)), least(Capabilities::LEAST_IN_KERNEL));
    assert_eq!(refusal(plain(), request(Event::CYCLES, Modes::KERNEL)), least(Capabilities::LEAST_OF_OTHERS_IN_KERNEL));
    assert!(Bench::new(plain()).encode(Request::new(Event::CYCLES).once_after(1)).is_ok());
}

#[test]
fn a_period_that_lets_a_programs_atomic_operation_never_end_is_refused() {
    let request = |event| Request::new(event).modes(Modes::USER);
    let least = Refusal::PeriodTooShort { least: Capabilities::LEAST_IN_USER };
    for event in [Event::INSTRUCTIONS, Event::CYCLES] {
        assert_eq!(refusal(plain(), request(event).every(Capabilities::LEAST_IN_USER - 1)), least);
        assert!(Bench::new(plain()).encode(request(event).every(Capabilities::LEAST_IN_USER)).is_ok());
        assert!(Bench::new(plain()).encode(request(event).once_after(1)).is_ok());
    }
    assert!(Bench::new(plain()).encode(request(Event::BRANCH_MISSES).every(1)).is_ok());
}

#[test]
fn a_period_beyond_32_bits_takes_a_wide_counter_or_a_pair() {
    let long = |event| Request::new(event).every((1 << 31) + 1);
    assert_eq!(Bench::new(plain()).counters([long(Event::CYCLES)]), Ok([31]));
    assert_eq!(Bench::new(plain()).counters([long(Event::BRANCHES)]), Ok([1]));
    assert_eq!(Bench::new(of_64_bits()).counters([long(Event::BRANCHES)]), Ok([5]));
    assert_eq!(Bench::new(plain()).counters([Request::new(Event::BRANCHES).every(1 << 31)]), Ok([5]));
}

#[test]
fn a_period_beyond_what_there_is_takes_any_counter() {
    let branches =
        |capabilities, period| Bench::new(capabilities).counters([Request::new(Event::BRANCHES).every(period)]);
    assert_eq!(branches(plain(), (1 << 63) + 1), Ok([5]));
    assert_eq!(branches(without(1 << 0x1E, 0), (1 << 31) + 1), Ok([5]));
    assert_eq!(branches(with(plain(), |it| it.event_counters = 1), (1 << 31) + 1), Ok([0]));
}

#[test]
fn a_pair_is_pinned_by_either_half() {
    let long = Request::new(Event::BRANCHES).every(1 << 40);
    for half in [2, 3] {
        assert_eq!(Bench::new(plain()).counters([long.pinned_to(counter(half))]), Ok([3]));
    }
}

#[test]
fn a_unit_without_event_counters_counts_cycles_alone() {
    let capabilities = with(plain(), |it| it.event_counters = 0);
    let bench = Bench::new(capabilities);
    assert_eq!(bench.counters([Event::CYCLES]), Ok([31]));
    assert_eq!(bench.encode(Event::BRANCHES).unwrap_err(), Refusal::UnknownEvent);
    assert_eq!(bench.driver.share().counters(&capabilities), CounterSet::from_bits(1 << 31));
}
