//! The rules of `Strict`: what a driver must not do although the hardware permits it.

use pmu::Mode;
use pmu::arch::x86::Msr;
use pmu::arch::x86::amd::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Strict, Unconnected, Work};

use super::{INSTRUCTIONS, ON, counter, legacy_counter, legacy_select, select};

const ENABLE: u64 = 1 << 22;
const MERGE: u64 = 0xF << 32 | ENABLE | 0xFF;

type Unit = Strict<Device<Unconnected>>;

/// Counter 0 counts.
fn running(identity: Identity) -> Unit {
    let unit = Strict(Device::new(&identity, Kinds::CLOCK, Unconnected));
    unit.write(legacy_select(0), ON | INSTRUCTIONS);
    unit
}

#[test]
fn a_counter_at_rest_may_be_written_and_changed() {
    let unit = running(Identity::ZEN_4);
    unit.write(select(1), ON | INSTRUCTIONS);
    unit.write(Msr::CORE_CONTROL, 1);
    unit.write(counter(1), 7);
    unit.write(Msr::CORE_CONTROL, 0);
    unit.write(select(0), ON | 0x76);
    unit.write(counter(0), 7);
    assert_eq!((unit.read(counter(0)), unit.read(counter(1))), (7, 7));
}

#[test]
fn a_running_counter_may_be_switched_off_or_left_as_it_is() {
    let unit = running(Identity::K7);
    unit.write(legacy_select(0), ON | INSTRUCTIONS);
    unit.write(legacy_select(0), (ON | INSTRUCTIONS) & !ENABLE);
    unit.advance(&Work::instructions(Mode::User, 5));
    assert_eq!(unit.read(legacy_counter(0)), 0);
}

#[test]
#[should_panic(expected = "writing 0x1 to PerfCtr0: a counter that counts is written")]
fn a_counter_that_counts_must_not_be_written() {
    running(Identity::K8).write(legacy_counter(0), 1);
}

#[test]
#[should_panic(expected = "a counter that counts is written")]
fn the_upper_half_of_a_counter_that_counts_must_not_be_written() {
    let unit = Strict(Device::new(&Identity::ZEN_2, Kinds::CLOCK, Unconnected));
    unit.write(select(1), MERGE);
    unit.write(counter(1), 0xFFFF);
    unit.write(select(0), ON | INSTRUCTIONS);
    unit.write(counter(1), 0xFFFF);
}

#[test]
#[should_panic(expected = "the selector of a counter that counts is changed")]
fn a_selector_must_not_change_under_its_counter() {
    running(Identity::K8).write(legacy_select(0), ON | 0x76);
}

#[test]
#[should_panic(expected = "a counter that counts is merged")]
fn a_counter_must_not_grow_while_it_counts() {
    running(Identity::ZEN_2).write(select(1), MERGE);
}

#[test]
#[should_panic(expected = "a counter merges that has none before it")]
fn an_even_counter_must_not_merge() {
    running(Identity::ZEN_2).write(select(2), MERGE);
}

#[test]
#[should_panic(expected = "bits are set that this selector does not have")]
fn no_bit_must_be_lost_in_a_selector() {
    running(Identity::K8).write(legacy_select(1), 1 << 32);
}

#[test]
#[should_panic(expected = "counters are enabled that are not there")]
fn no_counter_must_be_enabled_that_is_not_there() {
    running(Identity::ZEN_4).write(Msr::CORE_CONTROL, 1 << 6);
}

#[test]
#[should_panic(expected = "the status is read-only")]
fn the_status_must_not_be_written() {
    running(Identity::ZEN_4).write(Msr::CORE_STATUS, 0);
}

#[test]
#[should_panic(expected = "the overflow of a counter that counts is acknowledged before it happens")]
fn an_overflow_that_may_still_come_must_not_be_acknowledged() {
    running(Identity::ZEN_4).write(Msr::CORE_RESET, 0b11);
}

#[test]
fn a_counter_at_rest_may_be_acknowledged() {
    running(Identity::ZEN_4).write(Msr::CORE_RESET, 0b10);
}

#[test]
#[should_panic(expected = "INV without a threshold means nothing")]
fn an_inversion_needs_a_threshold() {
    running(Identity::ZEN_2).write(select(1), 1 << 23);
}

#[test]
#[should_panic(expected = "a counter is enabled in no mode")]
fn an_enabled_counter_needs_a_mode() {
    running(Identity::ZEN_2).write(select(1), ENABLE | INSTRUCTIONS);
}
