//! The rules of `Strict`: what a driver must not do although the hardware permits it.

use pmu::Mode;
use pmu::arch::x86::Msr;
use pmu::arch::x86::amd::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Strict, Unconnected, Work};

use super::{INSTRUCTIONS, ON, counter, legacy_counter, legacy_select, select};
use crate::support::rules::judges;

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
fn a_selector_must_not_change_under_its_counter_and_a_counter_must_not_grow_while_it_counts() {
    let (changed, merged) = ("the selector of a counter that counts is changed", "a counter that counts is merged");
    judges(&running(Identity::K8), &[(legacy_select(0), ON | 0x76, Some(changed))]);
    judges(&running(Identity::ZEN_2), &[(select(1), MERGE, Some(merged))]);
}

#[test]
fn what_is_lost_or_means_nothing_must_not_be_written() {
    let lost = "bits are set that this selector does not have";
    judges(&running(Identity::K8), &[(legacy_select(1), 1 << 32, Some(lost))]);
    judges(
        &running(Identity::ZEN_4),
        &[
            (Msr::CORE_CONTROL, 1 << 6, Some("counters are enabled that are not there")),
            (Msr::CORE_STATUS, 0, Some("the status is read-only, and what is written to it lost")),
        ],
    );
    judges(
        &running(Identity::ZEN_2),
        &[
            (select(2), MERGE, Some("a counter merges that has none before it")),
            (select(1), 1 << 23, Some("INV without a threshold means nothing")),
            (select(1), ENABLE | INSTRUCTIONS, Some("a counter is enabled in no mode")),
        ],
    );
}

#[test]
fn an_overflow_that_may_still_come_must_not_be_acknowledged() {
    let early = "the overflow of a counter that counts is acknowledged before it happens";
    judges(&running(Identity::ZEN_4), &[(Msr::CORE_RESET, 0b11, Some(early)), (Msr::CORE_RESET, 0b10, None)]);
}
