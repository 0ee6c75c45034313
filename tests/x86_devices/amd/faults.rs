//! Which accesses fault, processor by processor, and which values lose bits instead.

use pmu::arch::x86::Msr;
use pmu::arch::x86::amd::Identity;
use pmu::virt::{Device as _, Fault};

use super::{counter, device, legacy_counter, legacy_select, select};
use crate::support::hostile::Line;

const OK: Result<(), Fault> = Ok(());
const ABSENT: Result<(), Fault> = Err(Fault::Absent);

/// What each identity, from K7 to Zen 4, answers to one write.
fn of_each(at: Msr, value: u64) -> [Result<(), Fault>; 8] {
    let line = Line::default();
    Identity::ALL.map(|identity| device(&identity, &line).try_write(at, value))
}

/// What each identity keeps of a value with all bits set.
fn kept_of_all(at: Msr) -> [Result<u64, Fault>; 8] {
    let line = Line::default();
    Identity::ALL.map(|identity| {
        let device = device(&identity, &line);
        device.try_write(at, u64::MAX)?;
        device.try_read(at)
    })
}

#[test]
fn four_counters_have_been_there_for_ever() {
    assert_eq!(of_each(legacy_select(3), 0), [OK; 8]);
    assert_eq!(of_each(legacy_counter(3), 0), [OK; 8]);
}

#[test]
fn six_counters_and_their_own_addresses_came_with_family_15h_and_family_16h_has_none_of_them() {
    for at in [select(0), counter(0), select(5), counter(5)] {
        assert_eq!(of_each(at, 0), [ABSENT, ABSENT, ABSENT, OK, ABSENT, OK, OK, OK], "{at:?}");
    }
}

#[test]
fn registers_for_all_counters_came_with_zen_4() {
    for at in [Msr::CORE_STATUS, Msr::CORE_CONTROL, Msr::CORE_RESET, Msr::CORE_SET] {
        assert_eq!(of_each(at, 0), [ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, OK], "{at:?}");
    }
}

#[test]
fn the_first_four_counters_answer_at_both_addresses() {
    let line = Line::default();
    let device = device(&Identity::ZEN_2, &line);
    for (new, old) in [(select(2), legacy_select(2)), (counter(3), legacy_counter(3))] {
        device.try_write(new, 0x1234).unwrap();
        assert_eq!(device.try_read(old), Ok(0x1234), "{old:?}");
        device.try_write(old, 0x4321).unwrap();
        assert_eq!(device.try_read(new), Ok(0x4321), "{new:?}");
    }
}

#[test]
fn bits_that_a_selector_does_not_have_are_dropped() {
    let (old, new) = (0xFFDF_FFFF, 0xFFD7_FFFF | 0xF << 32 | 0b11 << 40);
    assert_eq!(kept_of_all(legacy_select(1)), [old, old, new, new, new, new, new, new].map(Ok));
    let exact = new | 1 << 43;
    assert_eq!(kept_of_all(legacy_select(2)), [old, old, new, new, new, new, exact, new].map(Ok));
}

#[test]
fn bits_beyond_a_counters_width_are_dropped() {
    assert_eq!(kept_of_all(legacy_counter(1)), [Ok((1 << 48) - 1); 8]);
}

#[test]
fn counters_that_are_not_there_cannot_be_enabled() {
    assert_eq!(kept_of_all(Msr::CORE_CONTROL)[7], Ok(0x3F));
}

#[test]
fn a_write_to_the_status_is_lost() {
    assert_eq!(kept_of_all(Msr::CORE_STATUS)[7], Ok(0));
}

#[test]
fn setting_and_clearing_the_status_touch_the_counters_bits_alone() {
    let line = Line::default();
    let device = device(&Identity::ZEN_4, &line);
    device.try_write(Msr::CORE_SET, u64::MAX).unwrap();
    assert_eq!(device.try_read(Msr::CORE_STATUS), Ok(0x3F));
    device.try_write(Msr::CORE_RESET, !0b100).unwrap();
    assert_eq!(device.try_read(Msr::CORE_STATUS), Ok(0b100));
    assert_eq!([Msr::CORE_SET, Msr::CORE_RESET].map(|at| device.try_read(at)), [Ok(0); 2]);
    assert_eq!(line.rises(), 0);
}
