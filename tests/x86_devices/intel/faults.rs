//! Which accesses fault, version by version.

use pmu::arch::x86::Msr;
use pmu::arch::x86::intel::Identity;
use pmu::virt::{Device as _, Fault};

use super::{device, fixed, full, narrow, select};
use crate::support::hostile::Line;

/// What each identity, from version 1 to 6, answers to one write.
fn of_each(at: Msr, value: u64) -> [Result<(), Fault>; 6] {
    let line = Line::default();
    Identity::ALL.map(|identity| device(&identity, &line).try_write(at, value))
}

const OK: Result<(), Fault> = Ok(());
const ABSENT: Result<(), Fault> = Err(Fault::Absent);
const RESERVED: Result<(), Fault> = Err(Fault::Reserved);

#[test]
fn global_registers_came_with_version_2() {
    for at in [Msr::FIXED_CONTROL, Msr::GLOBAL_CONTROL, Msr::GLOBAL_RESET] {
        assert_eq!(of_each(at, 0), [ABSENT, OK, OK, OK, OK, OK], "{at:?}");
    }
}

#[test]
fn setting_the_status_came_with_version_4() {
    assert_eq!(of_each(Msr::GLOBAL_SET, 1), [ABSENT, ABSENT, ABSENT, OK, OK, OK]);
}

#[test]
fn any_thread_was_there_in_versions_3_and_4() {
    assert_eq!(of_each(select(0), 1 << 21), [RESERVED, RESERVED, OK, OK, RESERVED, RESERVED]);
    assert_eq!(of_each(Msr::FIXED_CONTROL, 1 << 2), [ABSENT, RESERVED, OK, OK, RESERVED, RESERVED]);
}

#[test]
fn pin_control_went_with_sandy_bridge() {
    assert_eq!(of_each(select(0), 1 << 19), [OK, OK, OK, RESERVED, RESERVED, RESERVED]);
}

#[test]
fn equal_and_the_second_unit_mask_came_with_version_6() {
    for bit in [36, 40, 47] {
        assert_eq!(of_each(select(0), 1 << bit), [RESERVED, RESERVED, RESERVED, RESERVED, RESERVED, OK], "{bit}");
    }
    assert_eq!(of_each(select(0), 1 << 48), [RESERVED; 6]);
}

#[test]
fn second_addresses_came_with_version_6() {
    for address in [0x1900, 0x1901, 0x1980] {
        let at = Msr::from_address(address).unwrap();
        assert_eq!(of_each(at, 0), [ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, OK], "{at:?}");
    }
}

#[test]
fn slots_have_their_fixed_counter_from_sapphire_rapids_on() {
    assert_eq!(of_each(fixed(3), 0), [ABSENT, ABSENT, ABSENT, ABSENT, OK, OK]);
    assert_eq!(of_each(Msr::FIXED_CONTROL, 1 << 12), [ABSENT, RESERVED, RESERVED, RESERVED, OK, OK]);
}

#[test]
fn counters_are_as_many_as_announced() {
    assert_eq!(of_each(narrow(1), 0), [OK; 6]);
    assert_eq!(of_each(narrow(2), 0), [ABSENT, ABSENT, OK, OK, OK, OK]);
    assert_eq!(of_each(select(4), 0), [ABSENT, ABSENT, ABSENT, OK, OK, OK]);
    assert_eq!(of_each(select(8), 0), [ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, OK]);
}

#[test]
fn whole_writes_are_there_if_the_capabilities_say_so() {
    let line = Line::default();
    let announced =
        Identity::ALL.map(|identity| device(&identity, &line).try_read(Msr::CAPABILITIES).unwrap() >> 13 & 1);
    assert_eq!(announced, [0, 0, 0, 1, 1, 1]);
    assert_eq!(of_each(full(0), 1), [ABSENT, ABSENT, ABSENT, OK, OK, OK]);
}

#[test]
fn bits_beyond_a_counters_width_are_reserved() {
    assert_eq!(of_each(full(0), 1 << 48), [ABSENT, ABSENT, ABSENT, RESERVED, RESERVED, RESERVED]);
    assert_eq!(of_each(fixed(0), 1 << 40), [ABSENT, RESERVED, OK, OK, OK, OK]);
    assert_eq!(of_each(fixed(0), 1 << 48), [ABSENT, RESERVED, RESERVED, RESERVED, RESERVED, RESERVED]);
}

#[test]
fn what_is_read_only_cannot_be_written() {
    let line = Line::default();
    let device = device(&Identity::SKYLAKE, &line);
    for at in [Msr::GLOBAL_STATUS, Msr::GLOBAL_IN_USE, Msr::CAPABILITIES] {
        assert_eq!(device.try_write(at, 0), Err(Fault::ReadOnly), "{at:?}");
    }
}

#[test]
fn the_changed_condition_can_be_cleared_and_not_set() {
    assert_eq!(of_each(Msr::GLOBAL_RESET, 1 << 63), [ABSENT, OK, OK, OK, OK, OK]);
    assert_eq!(of_each(Msr::GLOBAL_SET, 1 << 63), [ABSENT, ABSENT, ABSENT, RESERVED, RESERVED, RESERVED]);
}

#[test]
fn registers_beside_the_counters_came_one_by_one() {
    assert_eq!(of_each(Msr::OFFCORE_0, 1), [ABSENT, ABSENT, OK, OK, OK, OK]);
    assert_eq!(of_each(Msr::OFFCORE_1, 1), [ABSENT, ABSENT, ABSENT, OK, OK, OK]);
    assert_eq!(of_each(Msr::FRONTEND, 1), [ABSENT, ABSENT, ABSENT, OK, OK, OK]);
}

#[test]
fn the_local_apics_line_is_not_the_units() {
    assert_eq!(Msr::from_address(0x834), None, "whoever can name it could make an overflow reset the processor");
}
