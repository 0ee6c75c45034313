//! The rules of `Strict`: what a driver must not do although the hardware permits it.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kinds, Strict, Unconnected, Work};

use super::{C, CHAIN, CYCLES, ENABLE, INSTRUCTIONS, LONG_CYCLES, LONG_EVENTS, counter, select};
use crate::support::rules::judges;

type Unit = Strict<Device<Unconnected>>;

/// Event counter 0 and the cycle counter count.
fn running(identity: Identity) -> Unit {
    let unit = Strict(Device::new(&identity, Kinds::CLOCK, Unconnected));
    unit.write(select(0), INSTRUCTIONS);
    unit.write(SystemRegister::CONTROL, ENABLE | LONG_CYCLES);
    unit.write(SystemRegister::ENABLE_SET, C | 1);
    unit
}

#[test]
fn a_counter_at_rest_may_be_written_and_changed() {
    let unit = running(Identity::NEOVERSE_N1);
    unit.write(select(1), CYCLES);
    unit.write(counter(1), 7);
    unit.write(SystemRegister::ENABLE_CLEAR, C);
    unit.write(SystemRegister::CYCLES, 7);
    unit.write(SystemRegister::CONTROL, 0);
    unit.write(counter(0), 7);
    assert_eq!((unit.read(counter(1)), unit.read(SystemRegister::CYCLES), unit.read(counter(0))), (7, 7, 7));
}

#[test]
fn a_running_counter_may_be_switched_off_or_left_as_it_is() {
    let unit = running(Identity::CORTEX_A57);
    unit.write(select(0), INSTRUCTIONS);
    unit.write(SystemRegister::ENABLE_CLEAR, 1);
    unit.advance(&Work::instructions(Mode::User, 5));
    assert_eq!(unit.read(counter(0)), 0);
}

#[test]
#[should_panic(expected = "writing 0x1 to PMEVCNTR0_EL0: a counter that counts is written")]
fn an_event_counter_that_counts_must_not_be_written() {
    running(Identity::CORTEX_A57).write(counter(0), 1);
}

#[test]
#[should_panic(expected = "a counter is enabled for a common event that is not announced")]
fn an_event_that_is_not_there_must_not_be_counted() {
    let unit = running(Identity::CORTEX_A57);
    unit.write(select(1), 0x21);
    unit.write(SystemRegister::ENABLE_SET, 0b10);
}

#[test]
#[should_panic(expected = "a counter is enabled at no level")]
fn an_enabled_counter_needs_a_level() {
    let unit = running(Identity::CORTEX_A57);
    unit.write(select(1), 0b11 << 30 | CYCLES);
    unit.write(SystemRegister::ENABLE_SET, 0b10);
}

#[test]
#[should_panic(expected = "the architecture does not say what such a number of lent counters means")]
fn no_more_counters_may_be_lent_than_there_are() {
    let unit = Strict(Device::new(&Identity::NEOVERSE_N1, Kinds::CLOCK, Unconnected).driven_from(Mode::Hypervisor));
    unit.write(SystemRegister::HYPERVISOR_CONTROL, 7);
}

#[test]
fn none_may_be_lent_where_that_is_announced() {
    let unit = Strict(Device::new(&Identity::ARMV8_8, Kinds::CLOCK, Unconnected).driven_from(Mode::Hypervisor));
    unit.write(SystemRegister::HYPERVISOR_CONTROL, 0);
    assert_eq!(unit.read(SystemRegister::HYPERVISOR_CONTROL), 0);
}

#[test]
fn counters_that_count_must_not_be_written_through_the_selector_nor_reset_nor_zeroed() {
    let written = Some("a counter that counts is written");
    judges(
        &running(Identity::ARMV9_4),
        &[
            (SystemRegister::SELECTED_COUNTER, 1, written),
            (SystemRegister::CYCLES, 1, written),
            (SystemRegister::CONTROL, ENABLE | LONG_CYCLES | 1 << 1, written),
            (SystemRegister::ZERO, 1, written),
        ],
    );
}

#[test]
fn neither_a_selection_nor_the_width_must_change_under_a_counter() {
    let long = ENABLE | LONG_CYCLES | LONG_EVENTS;
    judges(
        &running(Identity::NEOVERSE_N2),
        &[
            (select(0), CYCLES, Some("the selection of a counter that counts is changed")),
            (SystemRegister::CONTROL, long, Some("counters that count change their width")),
        ],
    );
}

#[test]
fn an_even_counter_must_not_be_chained_and_a_chain_must_not_be_filtered() {
    judges(
        &running(Identity::CORTEX_A57),
        &[
            (select(2), CHAIN, Some("an even counter counts no overflows of another")),
            (select(1), CHAIN | 1 << 31, Some("CHAIN must count at every level")),
        ],
    );
}

#[test]
fn an_overflow_that_may_still_come_must_not_be_acknowledged() {
    let early = "the overflow of a counter that counts is acknowledged before it happens";
    let clear = SystemRegister::OVERFLOW_CLEAR;
    judges(&running(Identity::CORTEX_A57), &[(clear, 0b11, Some(early)), (clear, 0b10, None)]);
}
