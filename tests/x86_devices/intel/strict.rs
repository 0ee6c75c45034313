//! The rules of `Strict`: what a driver must not do although the hardware permits it.

use pmu::Mode;
use pmu::arch::x86::Msr;
use pmu::arch::x86::intel::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Strict, Unconnected, Work};

use super::{INSTRUCTIONS, ON, fixed, narrow, select};
use crate::support::rules::judges;

type Unit = Strict<Device<Unconnected>>;

/// General counter 0 and fixed counter 0 count.
fn running(identity: Identity) -> Unit {
    let unit = Strict(Device::new(&identity, Kinds::CLOCK, Unconnected));
    unit.write(select(0), ON | INSTRUCTIONS);
    if identity.capabilities().has_global() {
        unit.write(Msr::FIXED_CONTROL, 0b1011);
        unit.write(Msr::GLOBAL_CONTROL, 1 << 32 | 1);
    }
    unit
}

#[test]
fn a_counter_at_rest_may_be_written_and_changed() {
    let unit = running(Identity::LION_COVE);
    unit.write(select(1), ON | INSTRUCTIONS);
    unit.write(narrow(1), 7);
    unit.write(Msr::FIXED_CONTROL, 0b1011_1011);
    unit.write(Msr::GLOBAL_CONTROL, 0);
    unit.write(narrow(0), 7);
    unit.write(fixed(0), 7);
    assert_eq!((unit.read(narrow(0)), unit.read(fixed(0))), (7, 7));
}

#[test]
fn a_running_counter_may_be_switched_off_or_left_as_it_is() {
    let unit = running(Identity::CORE_DUO);
    unit.write(select(0), ON | INSTRUCTIONS);
    unit.write(select(0), (ON | INSTRUCTIONS) & !(1 << 22));
    unit.advance(&Work::instructions(Mode::User, 5));
    assert_eq!(unit.read(narrow(0)), 0);
}

#[test]
#[should_panic(expected = "writing 0x1 to IA32_PMC0: a counter that counts is written")]
fn a_general_counter_that_counts_must_not_be_written() {
    running(Identity::CORE_2).write(narrow(0), 1);
}

#[test]
#[should_panic(expected = "IA32_FIXED_CTR0: a counter that counts is written")]
fn a_fixed_counter_that_counts_must_not_be_written() {
    running(Identity::CORE_2).write(fixed(0), 1);
}

#[test]
#[should_panic(expected = "a counter that counts depends on this register")]
fn a_register_beside_a_counter_must_not_change_under_it() {
    let unit = running(Identity::SKYLAKE);
    unit.write(select(1), ON | 0x01B7);
    unit.write(Msr::OFFCORE_1, 1);
    unit.write(Msr::GLOBAL_CONTROL, 0b11);
    unit.write(Msr::OFFCORE_0, 1);
}

#[test]
fn a_selector_and_the_shared_control_must_not_change_under_their_counters() {
    judges(
        &running(Identity::CORE_2),
        &[
            (select(0), ON | 0x3C, Some("the selector of a counter that counts is changed")),
            (Msr::FIXED_CONTROL, 0b1010, Some("the control of a fixed counter that counts is changed")),
        ],
    );
}

#[test]
fn what_means_nothing_must_not_be_written() {
    judges(
        &running(Identity::LION_COVE),
        &[
            (select(1), 1 << 23, Some("INV without a threshold means nothing")),
            (select(1), 1 << 36 | 1 << 24 | 1 << 23, Some("EQ and INV exclude each other")),
            (select(1), 1 << 22 | INSTRUCTIONS, Some("a counter is enabled in no mode")),
        ],
    );
}

#[test]
fn an_overflow_that_may_still_come_must_not_be_acknowledged() {
    let early = "the overflow of a counter that counts is acknowledged before it happens";
    judges(&running(Identity::CORE_2), &[(Msr::GLOBAL_RESET, 0b11, Some(early)), (Msr::GLOBAL_RESET, 0b10, None)]);
}
