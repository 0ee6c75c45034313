//! Detection: what the unit is, who uses it already, and what is refused.
use pmu::arch::x86::netburst::CounterGroup;
use pmu::arch::x86::netburst::{Cccr, Netburst, Share, View};
use pmu::arch::x86::{CpuIdResult, Msr, Unattached};
use pmu::driver::Plan;
use pmu::request::Refusal;
use pmu::{CounterId, CounterSet, Error, Event, Request, Unit};

use crate::netburst::counter;
use crate::support::memory::Msrs;

/// Tagged micro-operations that retired (replay_event), without a mask.
const REPLAY: u64 = CounterGroup::Iq.code(0x09, 5, 0);

/// IA32_MISC_ENABLE of a processor with a unit, and without PEBS.
const AVAILABLE: u64 = 1 << 7;
const NO_PEBS: u64 = 1 << 12;

/// CPUID of an Intel processor of family 15 with this model, `threads` threads, and this APIC identifier.
fn cpuid(model: u32, threads: u32, apic: u32) -> impl Fn(u32, u32) -> CpuIdResult + Clone {
    move |leaf, _| match leaf {
        0 => CpuIdResult { eax: 2, ebx: 0x756E_6547, ecx: 0x6C65_746E, edx: 0x4965_6E69 },
        _ => CpuIdResult {
            eax: 0xF09 | model << 4,
            ebx: apic << 24 | threads << 16,
            ecx: 0,
            edx: if threads > 1 { 1 << 28 } else { 0 },
        },
    }
}

fn with_misc(misc: u64) -> Msrs {
    Msrs::new().with(Msr::MISC_ENABLE, misc)
}

fn bits(set: CounterSet) -> Vec<u8> {
    set.into_iter().map(|counter| counter.number()).collect()
}

#[test]
fn without_hyper_threading_the_whole_bank_is_found() {
    let registers = with_misc(AVAILABLE);
    let driver = Netburst::detect(&cpuid(2, 1, 0), &registers, Unattached).unwrap();
    assert_eq!(bits(driver.description().general), [0, 2, 4, 6, 8, 10, 16, 17]);
    assert_eq!(driver.capabilities().share, Share::Whole);
    assert_eq!(registers.contents().len(), 1, "the unit is as it was");
}

#[test]
fn each_thread_finds_the_four_counters_that_oprofile_gives_it() {
    let registers = with_misc(AVAILABLE);
    for (apic, share, numbers) in [(6, Share::Thread0, [0, 1, 2, 3]), (7, Share::Thread1, [4, 5, 6, 7])] {
        let driver = Netburst::detect(&cpuid(2, 2, apic), &registers, Unattached).unwrap();
        let mut found: Vec<_> = driver.description().general.into_iter().filter_map(View::bank_number).collect();
        found.sort_unstable();
        assert_eq!((driver.capabilities().share, found.as_slice()), (share, numbers.as_slice()));
    }
}

#[test]
fn a_kernel_can_have_all_counters_and_the_whole_unit() {
    let registers = with_misc(AVAILABLE);
    let driver = Netburst::detect_as(&cpuid(4, 2, 1), &registers, Unattached, View::All, Some(Share::Whole)).unwrap();
    assert_eq!(driver.description().general, CounterSet::first(18));
}

#[test]
fn a_processor_that_says_it_has_no_unit_is_believed() {
    let found = Netburst::detect(&cpuid(2, 1, 0), &with_misc(0), Unattached).err();
    assert!(matches!(found, Some(Error::NoUnit { reason }) if reason.contains("IA32_MISC_ENABLE")));
}

#[test]
fn processors_of_other_families_and_vendors_are_refused() {
    let p6 = |leaf: u32, subleaf: u32| match leaf {
        0 => cpuid(0, 1, 0)(0, subleaf),
        _ => CpuIdResult { eax: 0x673, ebx: 0, ecx: 0, edx: 0 },
    };
    let found = Netburst::detect(&p6, &with_misc(AVAILABLE), Unattached).err();
    assert_eq!(found, Some(Error::UnknownProcessor { family: 6, model: 7 }));
    let k8 = |leaf: u32, subleaf: u32| match leaf {
        0 => CpuIdResult { eax: 1, ebx: 0x6874_7541, ecx: 0x444D_4163, edx: 0x6974_6E65 },
        _ => cpuid(4, 1, 0)(1, subleaf),
    };
    assert!(matches!(Netburst::detect(&k8, &with_misc(AVAILABLE), Unattached), Err(Error::UnknownProcessor { .. })));
}

#[test]
fn counters_that_the_firmware_uses_are_left_to_it_with_their_escrs() {
    // Counter 1 counts what MSR_FSB_ESCR0 selects.
    let watchdog = (Cccr::ENABLE | Cccr::select(6) | Cccr::active(3)).bits();
    let registers = with_misc(AVAILABLE).with(Cccr::msr(counter(1)), watchdog).with(Cccr::msr(counter(16)), watchdog);
    let driver = Netburst::detect(&cpuid(2, 1, 0), &registers, Unattached).unwrap();
    let description = driver.description();
    assert_eq!(bits(description.used_by_others), [1, 16]);
    assert_eq!(bits(description.general), [0, 2, 4, 6, 8, 10, 17]);
    let cycles = Request::new(Event::CYCLES);
    assert!(driver.encode(&cycles).is_ok_and(|_| driver.encode(&cycles.pinned_to(counter(2))).is_ok()));
    // Counter 0 is free, but would need the same ESCR.
    for held in [counter(0), counter(16)] {
        let refusal = driver.encode(&Request::new(of_part(held)).pinned_to(held)).err();
        assert_eq!(refusal, Some(Refusal::UsedByOthers(held.only())));
    }
    assert_eq!(driver.encode(&cycles.pinned_to(counter(4))).err(), Some(Refusal::CounterCannot(counter(4))));
    assert_eq!(registers.contents().len(), 3);
}

/// An event that this counter can count.
fn of_part(counter: CounterId) -> Event {
    if counter.number() < 4 { Event::CYCLES } else { Event::INSTRUCTIONS }
}

#[test]
fn an_event_whose_only_counter_the_firmware_uses_is_refused_with_the_counter_and_the_way_out() {
    let watchdog = (Cccr::ENABLE | Cccr::select(7) | Cccr::active(3)).bits();
    let registers = with_misc(AVAILABLE).with(Cccr::msr(counter(1)), watchdog);
    let driver = Netburst::detect(&cpuid(2, 1, 0), &registers, Unattached).unwrap();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver).unwrap();
    let allocation = Request::new(Event::raw(CounterGroup::Bpu.code(0x05, 7, 0x21)));
    let error = pmu.open([Request::new(Event::CYCLES), allocation]).map(|_| ()).unwrap_err();
    let words = "request 1 (event 0x210705): counters {0} that can count it, or their event selectors, are used by \
                 somebody else, as firmware or a watchdog; disable them in the firmware's setup, or stop them before the \
                 unit is detected";
    assert_eq!(error.to_string(), words);
}

#[test]
fn a_unit_whose_counters_all_count_for_others_is_refused() {
    let registers = (0..18).fold(with_misc(AVAILABLE), |map, number| map.with(Cccr::msr(counter(number)), 1 << 12));
    let found = Netburst::detect(&cpuid(2, 1, 0), &registers, Unattached).err();
    assert_eq!(found, Some(Error::UsedByOthers(CounterSet::first(18))));
}

#[test]
fn a_processor_without_pebs_refuses_replay_events_with_the_reason() {
    let registers = with_misc(AVAILABLE | NO_PEBS);
    let driver = Netburst::detect(&cpuid(2, 1, 0), &registers, Unattached).unwrap();
    let replay = Event::raw(REPLAY | 5 << 16);
    let refusal = driver.encode(&Request::new(replay)).err().map(|refusal| refusal.to_string());
    assert!(refusal.is_some_and(|text| text.contains("PEBS")));
}

#[test]
fn units_of_different_models_are_of_different_kinds_and_threads_of_one_are_of_one() {
    let registers = with_misc(AVAILABLE);
    let kind = |model, apic, view| {
        Netburst::detect_as(&cpuid(model, 2, apic), &registers, Unattached, view, None).unwrap().kind()
    };
    let kinds = [kind(2, 0, View::Bank), kind(2, 1, View::Bank), kind(2, 0, View::All), kind(3, 0, View::Bank)];
    assert!(kinds[..3].iter().all(|kind| *kind == kinds[0] && *kind != kinds[3]), "{kinds:?}");
    assert_eq!(kind(2, 2, View::Bank), kinds[0]);
}
