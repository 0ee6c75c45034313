//! The encoding of requests, and the reasons why some are refused.

use pmu::arch::powerpc::Pvr;
use pmu::arch::powerpc::book3s::Capabilities;
use pmu::arch::powerpc::book3s::{Book3s, Model, Privilege};
use pmu::driver::Plan;
use pmu::request::{Flag, Generic, Refusal};
use pmu::{Error, Event, Modes, Request};

use crate::power64::{Bench, counter, pvr};
use crate::support::memory::Memory;

/// Cycles (PM_CYC), on any of PMC1 to PMC4; POWER6 to POWER9.
const CYCLES: Event = Event::raw(0x1E);
/// Instructions completed (PM_INST_CMPL), on any of PMC1 to PMC4; POWER6 to POWER9.
const INSTRUCTIONS: Event = Event::raw(0x02);

const POWER8: Model = Model::Power8;
const POWER9: Model = Model::Power9;
const POWER10: Model = Model::Power10;

fn refusal(model: Model, request: impl Into<Request>) -> Option<Refusal> {
    Bench::new(model).refusal(request)
}

fn code(model: Model, code: u64) -> Option<Refusal> {
    refusal(model, Event::raw(code))
}

/// What the driver says of an impossible code.
fn reason(model: Model, bits: u64) -> String {
    match code(model, bits) {
        Some(Refusal::Impossible(reason)) => reason.to_owned(),
        other => panic!("{model:?} {bits:#x}: {other:?}"),
    }
}

#[test]
fn a_processor_is_found_by_its_version_and_a_stranger_is_named() {
    let found = Book3s::detect(pvr(POWER9), Privilege::Supervisor, Memory::new()).unwrap();
    assert_eq!((found.capabilities().model, found.description().name), (POWER9, "POWER9"));
    let cell = Book3s::detect(Pvr::from_bits(0x0070_0501), Privilege::Supervisor, Memory::new()).err();
    assert_eq!(cell, Some(Error::UnknownProcessor { family: 0x70, model: 0x501 }));
}

#[test]
fn a_unit_that_keeps_nothing_is_found_out() {
    let swallowed = Book3s::detect(pvr(POWER8), Privilege::Supervisor, Memory::that_swallows()).err();
    assert_eq!(swallowed, Some(Error::Swallowed { register: 798, wrote: 0x7C, read: 0 }));
}

/// torvalds/linux arch/powerpc/perf/power9-pmu.c refuses the same, by the same bits of PVR. PM_DISP_HELD_SYNC_HOLD is
/// miscounted by both revisions, PM_FLOP_CMPL by the first and PM_DTLB_MISS_4K by the second.
#[test]
fn an_event_that_a_revision_of_power9_miscounts_is_refused() {
    let refused = |pvr| {
        let driver = Book3s::detect(Pvr::from_bits(pvr), Privilege::Supervisor, Memory::new()).unwrap();
        let is_miscounted = |code| match driver.encode(&Event::raw(code).into()) {
            Err(Refusal::Impossible(reason)) => reason.contains("miscounts"),
            _ => false,
        };
        [0x4_003C, 0x1_00F4, 0x2_C056].map(is_miscounted)
    };
    assert_eq!(refused(0x004E_1201), [true, true, false]);
    assert_eq!(refused(0x004E_1202), [true, false, true]);
    assert_eq!(refused(0x004E_1203), [false; 3]);
    assert_eq!(refused(0x004E_3202), [false; 3], "Cumulus");
}

#[test]
fn every_generic_event_is_counted_or_refused_by_name() {
    let known = |model: Model| {
        let known = |event: &Generic| refusal(model, Event::Generic(*event)) != Some(Refusal::UnknownEvent);
        Generic::ALL.into_iter().filter(known).count()
    };
    use Model::{Power4, Power5, Power5Plus, Power6, Power7, Ppc970};
    assert_eq!([Power4, Ppc970, Power5, Power5Plus, Power6].map(known), [6; 5]);
    assert_eq!([Power7, POWER8, POWER9, POWER10].map(known), [6; 4]);
}

/// Microwatt's pmu.vhdl, "Event selection". Nothing is ever reported to it for FEH on PMC2, and IBM's own selectors count nothing.
#[test]
fn microwatt_takes_the_architectures_codes_alone() {
    use Model::Microwatt;
    assert_eq!([0x1_00FE, 0x2_00FA, 0x3_00FE, 0x4_00F0, 0x5_00FA, 0x6_00F4].map(|it| code(Microwatt, it)), [None; 6]);
    let unknown = [0x02, 0x1E, 0xFE, 0x1_0002, 0x2_00FE, 0x3_00FC, 0x4_00F8, 0x5_00FE, 0x7_00FE];
    assert_eq!(unknown.map(|it| code(Microwatt, it)), [Some(Refusal::UnknownEvent); 9]);
    assert_eq!(code(Microwatt, 0x1_10FE), Some(Refusal::ReservedBits(0x1000)));
    assert_eq!(refusal(Microwatt, Event::raw_with(0x1_00FE, 1)), Some(Refusal::Auxiliary(1)));
    let unknown = [Event::BRANCHES, Event::CACHE_REFERENCES].map(|event| refusal(Microwatt, event));
    assert_eq!(unknown, [Some(Refusal::UnknownEvent); 2]);
}

#[test]
fn bits_that_no_code_has_are_named() {
    assert_eq!(code(POWER8, 1 << 50 | 0x1E), Some(Refusal::ReservedBits(1 << 50)));
    assert_eq!(code(POWER8, 1 << 9 | 0x1E), Some(Refusal::ReservedBits(1 << 9)));
    assert_eq!(code(POWER8, 1 << 10 | 0x1E), Some(Refusal::ReservedBits(1 << 10)));
    assert_eq!(code(POWER9, 1 << 10 | 0x4C40), None);
    assert_eq!(code(POWER9, 1 << 52 | 0x1E), Some(Refusal::ReservedBits(1 << 52)));
    assert_eq!(code(POWER10, 1 << 60 | 0x1E), Some(Refusal::ReservedBits(1 << 60)));
    assert_eq!(code(Model::Ppc970, 0x1_0000), Some(Refusal::ReservedBits(0x1_0000)));
    assert_eq!(code(Model::Power7, 0x10_001E), Some(Refusal::ReservedBits(0x10_0000)));
}

#[test]
fn a_counter_that_there_is_not_counts_nothing() {
    assert_eq!([code(POWER8, 0x7_001E), code(POWER9, 0xF_001E)], [Some(Refusal::UnknownEvent); 2]);
    assert_eq!(code(Model::Ppc970, 0x9001), Some(Refusal::UnknownEvent));
    assert_eq!(code(Model::Power5, 0x70_0009), Some(Refusal::UnknownEvent));
}

#[test]
fn the_last_two_counters_count_one_thing_each() {
    assert_eq!([code(POWER9, 0x5_00FA), code(POWER9, 0x6_00F4)], [None; 2]);
    assert_eq!([code(POWER9, 0x5_001E), code(POWER9, 0x6_00FA)], [Some(Refusal::UnknownEvent); 2]);
}

#[test]
fn what_only_the_hypervisor_can_select_is_refused_with_the_reason() {
    assert!(reason(POWER8, 0x21_6080).contains("MMCRC"));
    assert_eq!(code(POWER8, 0x1_6080), None);
}

#[test]
fn what_marked_instructions_need_is_refused_of_others_with_the_reason() {
    assert!(reason(POWER8, 0x10_0000_0000 | 0x1E).contains("needs its event"));
    assert!(reason(POWER8, 1 << 24 | 0x1E).contains("marked"));
    assert!(reason(POWER9, 3 << 24 | 0x4_01E0).contains("reserved"));
    assert!(reason(POWER9, 1 << 29 | 0xF << 32 | 0x4_01E0).contains("start or stop"));
}

#[test]
fn a_threshold_that_has_a_smaller_exponent_is_refused() {
    let with = |threshold: u64| threshold << 40 | 1 << 29 | 0x4_01E0;
    assert!(reason(POWER8, with(0b001_0011111)).contains("exponent"));
    assert_eq!([code(POWER8, with(0b001_0100000)), code(POWER8, with(0b000_0011111))], [None; 2]);
    let on_power10 = |threshold| refusal(POWER10, Event::raw_with(1 << 29 | 0x4_01E0, threshold));
    assert!(matches!(on_power10(0b001_0011_1111), Some(Refusal::Impossible(_))));
    assert_eq!(on_power10(0b001_0100_0000), None);
}

#[test]
fn an_auxiliary_value_is_power10s_threshold_or_an_old_processors_marking() {
    assert_eq!(refusal(POWER9, Event::raw_with(0x1E, 1)), Some(Refusal::Auxiliary(1)));
    assert_eq!(refusal(POWER10, Event::raw_with(0x1E, 1 << 11)), Some(Refusal::Auxiliary(1 << 11)));
    assert_eq!(refusal(Model::Power7, Event::raw_with(0x1E, 0x2001)), Some(Refusal::Auxiliary(0x2000)));
    assert_eq!(refusal(Model::Ppc970, Event::raw_with(0x1002, 1)), None);
}

#[test]
fn units_that_there_are_not_are_refused_with_the_reason() {
    assert!(reason(Model::Ppc970, 0xA10).contains("no unit"));
    assert!(reason(Model::Power4, 0x510).contains("no unit"));
    assert!(reason(Model::Power4, 0x410).contains("word"));
    assert!(reason(Model::Power5, 0x5_0080).contains("no unit"));
    assert!(reason(Model::Power5, 0x2_40E4).contains("unit 12"));
    assert!(reason(Model::Power7, 0x1_0168).contains("unit 6"));
    assert!(reason(Model::Power6, 0x8002).contains("look-ahead"));
    assert!(reason(POWER10, 1 << 40 | 0x2_5080).contains("unit 6"));
}

#[test]
fn states_are_told_apart_as_far_as_the_kernel_sees_them() {
    let guest = Bench::of_processor(pvr(POWER9), Privilege::Supervisor);
    let host = Bench::of_processor(pvr(POWER9), Privilege::Hypervisor);
    let hypervisor = Request::new(Event::CYCLES).modes(Modes::HYPERVISOR);
    let (below, alone) = (Modes::ALL.and(Modes::HYPERVISOR), Modes::ALL);
    let refused = |able| Some(Refusal::Modes { able });
    assert_eq!((guest.refusal(hypervisor), host.refusal(hypervisor)), (None, refused(alone)));
    let nowhere = Request::new(Event::CYCLES).modes(Modes::NONE);
    assert_eq!((guest.refusal(nowhere), host.refusal(nowhere)), (refused(below), refused(alone)));
}

#[test]
fn there_are_no_flags_and_no_thresholds_but_those_of_codes() {
    for flag in Flag::ALL {
        assert_eq!(refusal(POWER9, Request::new(Event::CYCLES).flag(flag)), Some(Refusal::Flag(flag)));
    }
    let compared = Request::new(Event::CYCLES).threshold(2);
    assert_eq!(refusal(POWER9, compared), Some(Refusal::ThresholdTooLarge { largest: 0 }));
}

#[test]
fn a_pin_is_checked_against_the_unit_and_the_event() {
    let on = |model, event, number| refusal(model, Request::new(event).pinned_to(counter(number)));
    assert_eq!(on(POWER8, Event::CYCLES, 6), Some(Refusal::NoSuchCounter(counter(6))));
    assert_eq!(on(POWER8, Event::CYCLES, 4), Some(Refusal::CounterCannot(counter(4))));
    assert_eq!([on(POWER8, Event::CYCLES, 5), on(POWER8, Event::CYCLES, 0)], [None; 2]);
    assert_eq!(on(Model::Power7, Event::CYCLES, 5), Some(Refusal::NoSuchCounter(counter(5))));
    assert_eq!(on(Model::Ppc970, Event::INSTRUCTIONS, 7), None);
    assert_eq!(on(Model::Power4, Event::INSTRUCTIONS, 1), Some(Refusal::CounterCannot(counter(1))));
}

/// A program that is interrupted each few instructions never gets from LWARX to STWCX.
#[test]
fn a_period_in_programs_leaves_room_for_an_atomic_operation() {
    let least = |model, event| {
        let request = |period| Request::new(event).modes(Modes::USER).every(period);
        match refusal(model, request(1)) {
            Some(Refusal::PeriodTooShort { least }) => {
                assert_eq!(refusal(model, request(least)), None, "{event:?}");
                least
            }
            refused => {
                assert_eq!(refused, None, "{event:?}");
                1
            }
        }
    };
    let of_each = [Event::INSTRUCTIONS, Event::CYCLES, CYCLES, INSTRUCTIONS];
    assert_eq!(of_each.map(|event| least(POWER9, event)), [Capabilities::LEAST_IN_USER; 4]);
    assert_eq!(
        [0x1_001E, 0x5_00FA, 0x2_00F4].map(|code| least(POWER9, Event::raw(code))),
        [Capabilities::LEAST_IN_USER; 3]
    );
    assert_eq!([0x02, 0x2_001E].map(|code| least(Model::Power10, Event::raw(code))), [Capabilities::LEAST_IN_USER; 2]);
    assert_eq!([0x4001, 0x3007].map(|code| least(Model::Ppc970, Event::raw(code))), [Capabilities::LEAST_IN_USER; 2]);
    assert_eq!([Event::BRANCHES, Event::CACHE_MISSES].map(|event| least(POWER9, event)), [1; 2]);
    assert_eq!(refusal(POWER9, Request::new(Event::CYCLES).modes(Modes::USER).once_after(1)), None);
}

#[test]
fn a_period_in_the_kernel_is_as_long_as_what_an_interrupt_takes_of_the_event() {
    let short = |least| Some(Refusal::PeriodTooShort { least });
    let every = |event, period| refusal(POWER9, Request::new(event).every(period));
    assert_eq!(every(Event::INSTRUCTIONS, Capabilities::LEAST_IN_KERNEL - 1), short(Capabilities::LEAST_IN_KERNEL));
    assert_eq!(every(Event::INSTRUCTIONS, Capabilities::LEAST_IN_KERNEL), None);
    assert_eq!(every(Event::CYCLES, Capabilities::LEAST_IN_KERNEL), short(Capabilities::LEAST_OF_OTHERS_IN_KERNEL));
}
