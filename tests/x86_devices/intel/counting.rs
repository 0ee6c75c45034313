//! Events and modes: what each counter counts.

use pmu::arch::x86::intel::Identity;
use pmu::arch::x86::{Index, Msr};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
use pmu::{CounterId, CounterSet, Mode};

use super::selecting::counted;
use super::{CYCLES, INSTRUCTIONS, Intel, ON, device, enable_all, fixed, full, narrow, select};
use crate::every_device::Family as _;
use crate::support::hostile::Line;
use crate::support::work::{of, one_of_each_kind};

const ENABLE: u64 = 1 << 22;
const USER: u64 = 1 << 16;

/// What general counter 0 reads after some work, enabled and set to `selector`.
pub(crate) fn counted_in(identity: &Identity, selector: u64, work: &[Work]) -> u64 {
    let unit = Intel::unit(identity);
    enable_all(identity, &unit);
    unit.try_write(select(0), ENABLE | selector).unwrap();
    work.iter().for_each(|work| unit.advance(work));
    Intel::value(&unit, narrow(0))
}

#[test]
fn each_architectural_event_counts_its_kind_of_work() {
    let events = [
        (0x003C, Kind::Cycles),
        (0x00C0, Kind::Instructions),
        (0x013C, Kind::ReferenceCycles),
        (0x4F2E, Kind::CacheReferences),
        (0x412E, Kind::CacheMisses),
        (0x00C4, Kind::Branches),
        (0x00C5, Kind::MispredictedBranches),
        (0x01A4, Kind::Slots),
    ];
    for (code, kind) in events {
        assert_eq!(counted(&Identity::SAPPHIRE_RAPIDS, ON | code), of(kind), "{code:#x}");
    }
}

#[test]
fn an_event_that_cpuid_hides_counts_nothing() {
    assert_eq!(counted(&Identity::NEHALEM, ON | 0x00C5), 0);
    assert_eq!(counted(&Identity::NEHALEM, ON | 0x7F89), of(Kind::MispredictedBranches));
    assert_eq!(counted(&Identity::SKYLAKE, ON | 0x01A4), 0);
    assert_eq!(counted(&Identity::LION_COVE, ON | 0x01A4), of(Kind::Slots));
}

#[test]
fn each_fixed_counter_counts_its_own_kind() {
    let device = pmu::arch::x86::intel::Device::new(&Identity::LION_COVE, Kinds::CLOCK, Unconnected);
    device.try_write(Msr::FIXED_CONTROL, 0x3333).unwrap();
    device.try_write(Msr::GLOBAL_CONTROL, 0xF << 32).unwrap();
    device.advance(&one_of_each_kind(Mode::User));
    let counts = [0, 1, 2, 3].map(|number| device.try_read(fixed(number)).unwrap());
    assert_eq!(counts, [Kind::Instructions, Kind::Cycles, Kind::ReferenceCycles, Kind::Slots].map(of));
}

#[test]
fn a_fixed_counter_counts_in_the_modes_it_is_set_to() {
    for (control, expected) in [(0b01, 40), (0b10, 3), (0b11, 43), (0b00, 0)] {
        let line = Line::default();
        let device = device(&Identity::CORE_2, &line);
        device.try_write(Msr::FIXED_CONTROL, control << 4).unwrap();
        device.try_write(Msr::GLOBAL_CONTROL, 1 << 33).unwrap();
        device.advance(&Work::instructions(Mode::User, 3));
        device.advance(&Work::instructions(Mode::Kernel, 40));
        assert_eq!(device.try_read(fixed(1)), Ok(expected), "{control:#b}");
    }
}

#[test]
fn selector_and_global_control_must_both_say_yes() {
    for (enable, global, expected) in [(ENABLE, 1, 7), (ENABLE, 2, 0), (0, 1, 0)] {
        let line = Line::default();
        let device = device(&Identity::NEHALEM, &line);
        device.try_write(select(0), enable | USER | INSTRUCTIONS).unwrap();
        device.try_write(Msr::GLOBAL_CONTROL, global).unwrap();
        device.advance(&Work::instructions(Mode::User, 7));
        assert_eq!(device.try_read(narrow(0)), Ok(expected), "{enable:#x} {global}");
    }
}

#[test]
fn after_a_reset_general_counters_are_enabled_globally_and_fixed_ones_are_not() {
    let line = Line::default();
    for identity in Identity::ALL.into_iter().skip(1) {
        let device = device(&identity, &line);
        let general = identity.capabilities().general.bits();
        assert_eq!(device.try_read(Msr::GLOBAL_CONTROL), Ok(general), "{}", identity.name());
        device.try_write(Msr::GLOBAL_CONTROL, 0).unwrap();
        device.reset();
        assert_eq!(device.try_read(Msr::GLOBAL_CONTROL), Ok(general), "{}", identity.name());
    }
}

#[test]
fn a_frozen_unit_counts_nothing_until_the_status_is_reset() {
    let line = Line::default();
    let device = device(&Identity::SKYLAKE, &line);
    device.try_write(select(0), ENABLE | USER | INSTRUCTIONS).unwrap();
    device.try_write(Msr::GLOBAL_SET, 1 << 59).unwrap();
    device.advance(&Work::instructions(Mode::User, 7));
    assert_eq!(device.try_read(narrow(0)), Ok(0));
    device.try_write(Msr::GLOBAL_RESET, 1 << 59).unwrap();
    device.advance(&Work::instructions(Mode::User, 7));
    assert_eq!(device.try_read(narrow(0)), Ok(7));
}

#[test]
fn a_threshold_that_is_to_be_equalled_is_not_guessed_at_either() {
    let (one, equal) = (1 << 24, 1 << 36);
    assert_eq!([equal, one | equal].map(|bits| counted(&Identity::LION_COVE, ON | INSTRUCTIONS | bits)), [0; 2]);
}

#[test]
fn counters_whose_events_nobody_observes_are_reported() {
    let line = Line::default();
    let device = device(&Identity::SAPPHIRE_RAPIDS, &line);
    let on = ENABLE | USER;
    let selectors = [on | INSTRUCTIONS, on | 0x00C4, on | 0x01B7, on | CYCLES, on | INSTRUCTIONS | 1 << 24, 0x00C4];
    for (number, selector) in (0..).zip(selectors) {
        device.try_write(select(number), selector).unwrap();
    }
    device.try_write(Msr::FIXED_CONTROL, 0x3333).unwrap();
    enable_all(&Identity::SAPPHIRE_RAPIDS, &device);
    assert_eq!(device.unfed(), CounterSet::from_bits(1 << 35 | 0b10110));
}

#[test]
fn a_host_hears_what_the_running_counters_want_to_know() {
    let device = pmu::arch::x86::intel::Device::new(&Identity::CORE_2, Kinds::CLOCK, Unconnected);
    assert_eq!(device.wanted(), Kinds::NONE);
    device.try_write(select(0), ON | 0x0005).unwrap();
    device.try_write(select(1), ON & !ENABLE | 0x00C4).unwrap();
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::MisalignedReferences), "the other counter stands still");
    device.try_write(select(1), ON | 0x00C4).unwrap();
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::MisalignedReferences).with(Kind::Branches));
}

#[test]
fn a_narrow_write_is_32_bits_sign_extended_to_the_counters_width() {
    let line = Line::default();
    for (identity, mask) in [(Identity::CORE_DUO, (1 << 40) - 1), (Identity::SKYLAKE, (1 << 48) - 1)] {
        let device = device(&identity, &line);
        for (written, kept) in [
            (0x7FFF_FFFF, 0x7FFF_FFFF),
            (0x8000_0000, 0xFFFF_FFFF_8000_0000 & mask),
            (0x1234_5678_0000_0001, 1),
            (u64::MAX, mask),
        ] {
            device.try_write(narrow(0), written).unwrap();
            assert_eq!(device.try_read(narrow(0)), Ok(kept), "{written:#x}");
        }
    }
}

#[test]
fn both_windows_and_rdpmc_show_one_counter() {
    let line = Line::default();
    let device = device(&Identity::SKYLAKE, &line);
    device.try_write(full(7), 0x1234_5678_9ABC).unwrap();
    let by_index = device.try_read_counter(Index::of(CounterId::new(7).unwrap()));
    assert_eq!([device.try_read(narrow(7)), device.try_read(full(7)), by_index], [Ok(0x1234_5678_9ABC); 3]);
}

#[test]
fn version_6_has_every_counter_and_selector_at_a_second_address() {
    let line = Line::default();
    let device = device(&Identity::LION_COVE, &line);
    let at = |address| Msr::from_address(address).unwrap();
    for (second, first) in [(0x1924, full(9)), (0x1925, select(9)), (0x198C, fixed(3))] {
        device.try_write(at(second), 0x5A).unwrap();
        assert_eq!(device.try_read(first), Ok(0x5A), "{first:?}");
        device.try_write(first, 0x33).unwrap();
        assert_eq!(device.try_read(at(second)), Ok(0x33), "{first:?}");
    }
}

#[test]
fn in_use_tells_who_has_an_event_and_whether_anybody_interrupts() {
    let line = Line::default();
    let device = device(&Identity::SKYLAKE, &line);
    assert_eq!(device.try_read(Msr::GLOBAL_IN_USE), Ok(0));
    device.try_write(select(2), INSTRUCTIONS).unwrap();
    device.try_write(Msr::FIXED_CONTROL, 0b0010 << 4).unwrap();
    assert_eq!(device.try_read(Msr::GLOBAL_IN_USE), Ok(1 << 33 | 1 << 2));
    device.try_write(Msr::FIXED_CONTROL, 0b1000 << 8).unwrap();
    assert_eq!(device.try_read(Msr::GLOBAL_IN_USE), Ok(1 << 63 | 1 << 2));
}

#[test]
#[should_panic(expected = "writing 0x1 to IA32_PERF_GLOBAL_STATUS: the register is read-only")]
fn a_driver_that_faults_hears_of_it() {
    let line = Line::default();
    device(&Identity::CORE_2, &line).write(Msr::GLOBAL_STATUS, 1);
}
