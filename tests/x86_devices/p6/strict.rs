//! The rules of `Strict`: what a driver must not do although the hardware permits it.

use pmu::Mode;
use pmu::arch::x86::p6::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Strict, Unconnected, Work};

use super::{CYCLES, ENABLE, INSTRUCTIONS, ON, counter, select};
use crate::support::rules::judges;

const PARKED: u64 = 0x2E;

type Unit = Strict<Device<Unconnected>>;

/// Both counters count instructions.
fn running() -> Unit {
    let unit = Strict(Device::new(&Identity::PENTIUM_III, Kinds::CLOCK, Unconnected));
    unit.write(select(1), ON | INSTRUCTIONS);
    unit.write(select(0), ON | INSTRUCTIONS | ENABLE);
    unit
}

#[test]
fn counters_at_rest_may_be_written_and_changed() {
    let unit = running();
    unit.write(select(0), ON | INSTRUCTIONS);
    unit.write(counter(0), 7);
    unit.write(counter(1), 8);
    unit.write(select(0), ON | CYCLES);
    unit.write(select(1), ON | CYCLES);
    assert_eq!((unit.read(counter(0)), unit.read(counter(1))), (7, 8));
}

#[test]
fn a_counter_may_be_parked_written_and_let_go_while_the_other_counts() {
    let unit = running();
    for (number, enable) in [(0, ENABLE), (1, 0)] {
        unit.write(select(number), PARKED | enable);
        unit.write(counter(number), 7);
        unit.advance(&Work::instructions(Mode::User, 5));
        assert_eq!(unit.read(counter(number)), 7);
        unit.write(select(number), ON | CYCLES | enable);
    }
}

#[test]
#[should_panic(expected = "writing 0x1 to IA32_PMC0: a counter that counts is written")]
fn counter_0_must_not_be_written_while_it_counts() {
    running().write(counter(0), 1);
}

#[test]
#[should_panic(expected = "writing 0x1 to IA32_PMC1: a counter that counts is written")]
fn counter_1_must_not_be_written_while_counter_0s_enable_bit_is_set() {
    running().write(counter(1), 1);
}

#[test]
#[should_panic(expected = "the selector of a counter that counts is changed")]
fn a_selector_must_not_change_under_its_counter() {
    running().write(select(1), ON | CYCLES);
}

#[test]
fn what_means_nothing_must_not_be_written() {
    judges(
        &Strict(Device::new(&Identity::PENTIUM_III, Kinds::CLOCK, Unconnected)),
        &[
            (select(1), 1 << 23, Some("INV without a threshold means nothing")),
            (select(1), PARKED, None),
            (select(0), ENABLE | PARKED, Some("counters are enabled in no mode")),
        ],
    );
}
