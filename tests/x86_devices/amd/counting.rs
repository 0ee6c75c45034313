//! Events and modes: what each counter counts.

use pmu::arch::x86::amd::Svm;
use pmu::arch::x86::amd::{Device, Identity};
use pmu::arch::x86::{Index, Msr};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
use pmu::{CounterId, CounterSet, Mode};

use super::selecting::counted;
use super::{Amd, CYCLES, INSTRUCTIONS, ON, counter, device, legacy_counter, legacy_select, select};
use crate::every_device::Family as _;
use crate::support::hostile::Line;
use crate::support::work::of;

const ENABLE: u64 = 1 << 22;
const USER: u64 = 1 << 16;
const KERNEL: u64 = 1 << 17;

/// What counter 0 reads after some work, enabled and set to `selector`.
pub(crate) fn counted_in(identity: &Identity, selector: u64, work: &[Work]) -> u64 {
    let unit = Amd::unit(identity);
    unit.try_write(legacy_select(0), ENABLE | selector).unwrap();
    work.iter().for_each(|work| unit.advance(work));
    Amd::value(&unit, 0)
}

/// What the selector counts on each identity, from K7 to Zen 4.
fn of_each(code: u64) -> [u64; 8] {
    Identity::ALL.map(|identity| counted(&identity, ON | code))
}

#[test]
fn what_retires_and_the_clock_have_the_same_numbers_everywhere() {
    let events = [
        (0x0076, Kind::Cycles),
        (0x00C0, Kind::Instructions),
        (0x00C2, Kind::Branches),
        (0x00C3, Kind::MispredictedBranches),
        (0x00C4, Kind::TakenBranches),
    ];
    for (code, kind) in events {
        assert_eq!(of_each(code), [of(kind); 8], "{code:#x}");
    }
}

#[test]
fn misaligned_references_were_counted_until_zen() {
    let n = of(Kind::MisalignedReferences);
    assert_eq!(of_each(0x0047), [n, n, n, n, 0, 0, 0, 0]);
}

#[test]
fn family_16h_counts_misaligned_references_by_their_unit_mask_alone() {
    let n = of(Kind::MisalignedReferences);
    assert_eq!([0x0047, 0x0147].map(|code| counted(&Identity::FAMILY_16H, ON | code)), [0, n]);
}

#[test]
fn the_second_level_cache_is_counted_from_k8_on_and_otherwise_by_zen_and_not_by_family_16h() {
    let (references, misses) = (of(Kind::CacheReferences), of(Kind::CacheMisses));
    assert_eq!(of_each(0x077D), [0, references, references, references, 0, 0, 0, 0]);
    assert_eq!(of_each(0x077E), [0, misses, misses, misses, 0, 0, 0, 0]);
    assert_eq!(of_each(0xFF60), [0, 0, 0, 0, 0, references, references, references]);
    assert_eq!(of_each(0x0964), [0, 0, 0, 0, 0, misses, misses, misses]);
}

#[test]
fn the_constant_clock_has_an_event_beyond_ffh() {
    assert_eq!(of_each(0x0001_0000_0120), [0, 0, 0, 0, 0, 0, 0, of(Kind::ReferenceCycles)]);
}

#[test]
fn before_family_10h_an_event_has_no_high_bits() {
    let n = of(Kind::Instructions);
    assert_eq!(of_each(0x0001_0000_00C0), [n, n, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn events_without_unit_masks_do_not_look_at_them() {
    assert_eq!(of_each(0x55C0), [of(Kind::Instructions); 8]);
    assert_eq!(of_each(0x037D), [0; 8], "another unit mask is another event");
}

#[test]
fn some_events_of_family_15h_are_counted_by_three_counters_only() {
    let line = Line::default();
    let device = device(&Identity::FAMILY_15H, &line);
    (0..6).for_each(|number| device.try_write(select(number), ENABLE | USER | CYCLES).unwrap());
    device.advance(&Work::instructions(Mode::User, 9));
    assert_eq!([0, 1, 2, 3, 4, 5].map(|number| device.read(counter(number))), [9, 9, 9, 0, 0, 0]);
    assert_eq!(device.unfed(), CounterSet::from_bits(0b11_1000), "and the others say so");
}

/// What a counter counts in 1 step with SVM off, 10 in the host and 100 in a guest.
fn counted_around_svm(sides: u64) -> u64 {
    let device = Device::new(&Identity::FAMILY_10H, Kinds::CLOCK, Unconnected);
    device.try_write(legacy_select(0), sides | ENABLE | KERNEL | INSTRUCTIONS).unwrap();
    for (svm, count) in [(Svm::Off, 1), (Svm::Host, 10), (Svm::Guest, 100)] {
        device.set_svm(svm);
        device.advance(&Work::instructions(Mode::Kernel, count));
    }
    device.try_read(legacy_counter(0)).unwrap()
}

#[test]
fn a_counter_counts_on_the_sides_of_svm_it_is_set_to_and_nothing_without_it() {
    let (guest, host) = (1 << 40, 1 << 41);
    assert_eq!([0, guest, host, guest | host].map(counted_around_svm), [111, 100, 10, 110]);
}

#[test]
fn selector_and_global_control_must_both_say_yes() {
    for (enable, control, expected) in [(ENABLE, 1, 7), (ENABLE, 2, 0), (0, 1, 0)] {
        let line = Line::default();
        let device = device(&Identity::ZEN_4, &line);
        device.try_write(select(0), enable | USER | INSTRUCTIONS).unwrap();
        device.try_write(Msr::CORE_CONTROL, control).unwrap();
        device.advance(&Work::instructions(Mode::User, 7));
        assert_eq!(device.try_read(counter(0)), Ok(expected), "{enable:#x} {control}");
    }
}

#[test]
fn after_a_reset_all_counters_are_enabled_globally_and_selectors_are_not() {
    let line = Line::default();
    let device = device(&Identity::ZEN_4, &line);
    assert_eq!((device.read(Msr::CORE_CONTROL), device.read(select(0))), (0x3F, 0));
    device.try_write(Msr::CORE_CONTROL, 0).unwrap();
    device.try_write(select(0), ON).unwrap();
    device.reset();
    assert_eq!((device.read(Msr::CORE_CONTROL), device.read(select(0))), (0x3F, 0));
}

/// EFER is 0 after it (APM vol. 2, table "Initial Processor State").
#[test]
fn after_a_reset_svm_is_off() {
    let device = Device::new(&Identity::FAMILY_10H, Kinds::CLOCK, Unconnected);
    device.set_svm(Svm::Guest);
    device.reset();
    device.try_write(legacy_select(0), 1 << 40 | ENABLE | KERNEL | INSTRUCTIONS).unwrap();
    device.advance(&Work::instructions(Mode::Kernel, 7));
    assert_eq!(device.try_read(legacy_counter(0)), Ok(0), "it is limited to guests");
}

#[test]
fn counters_whose_events_nobody_observes_are_reported() {
    let line = Line::default();
    let device = device(&Identity::ZEN_4, &line);
    let on = ENABLE | USER;
    let selectors = [on | INSTRUCTIONS, on | 0x00C2, on | 0x03AA, on | CYCLES, on | INSTRUCTIONS | 1 << 24, 0x00C2];
    for (number, selector) in (0..).zip(selectors) {
        device.try_write(select(number), selector).unwrap();
    }
    assert_eq!(device.unfed(), CounterSet::from_bits(0b10110));
}

#[test]
fn a_host_hears_what_the_running_counters_want_to_know() {
    let device = Device::new(&Identity::K8, Kinds::CLOCK, Unconnected);
    assert_eq!(device.wanted(), Kinds::NONE);
    device.try_write(legacy_select(0), ON | 0x0047).unwrap();
    device.try_write(legacy_select(1), ON & !ENABLE | 0x00C2).unwrap();
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::MisalignedReferences), "the other counter stands still");
    device.try_write(legacy_select(1), ON | 0x00C2).unwrap();
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::MisalignedReferences).with(Kind::Branches));
}

#[test]
fn both_addresses_and_rdpmc_show_one_counter() {
    let line = Line::default();
    let device = device(&Identity::FAMILY_15H, &line);
    device.try_write(counter(3), 0x1234_5678_9ABC).unwrap();
    let by_index = device.try_read_counter(Index::of(CounterId::new(3).unwrap()));
    assert_eq!([device.try_read(counter(3)), device.try_read(legacy_counter(3)), by_index], [Ok(0x1234_5678_9ABC); 3]);
}

#[test]
#[should_panic(expected = "writing 0x1 to PERF_CTL0: the unit has no such register")]
fn a_driver_that_faults_hears_of_it() {
    let line = Line::default();
    device(&Identity::K8, &line).write(select(0), 1);
}
