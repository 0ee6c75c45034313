//! The rules of `Strict`: what a driver must not do although the hardware permits it.

use pmu::arch::x86::Msr;
use pmu::arch::x86::p5::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::Strict;

use super::{counter, device};

/// Counter 0 counts instructions.
fn running() -> Strict<Device> {
    let unit = Strict(device(&Identity::P5));
    unit.write(Msr::CESR, 0xD6);
    unit
}

#[test]
fn a_counter_at_rest_may_be_written_and_changed() {
    let unit = running();
    unit.write(counter(1), 7);
    unit.write(Msr::CESR, 0x00D2_00D6);
    unit.write(Msr::CESR, 0x0012_0016);
    unit.write(counter(0), 9);
    unit.write(Msr::CESR, 0x00D2_00E9);
    assert_eq!((unit.read(counter(0)), unit.read(counter(1))), (9, 7));
}

#[test]
#[should_panic(expected = "writing 0x1 to CTR0: a counter that counts is written")]
fn a_counter_that_counts_must_not_be_written() {
    running().write(counter(0), 1);
}

#[test]
#[should_panic(expected = "the event of a counter that counts is changed")]
fn an_event_must_not_change_under_its_counter() {
    running().write(Msr::CESR, 0xD2);
}

#[test]
#[should_panic(expected = "the event of a counter that counts is changed")]
fn a_counter_must_be_stopped_before_it_counts_clocks() {
    running().write(Msr::CESR, 0x1D6);
}

#[test]
#[should_panic(expected = "a counter counts clocks in no mode")]
fn clocks_need_a_mode() {
    running().write(Msr::CESR, 0x0116_00D6);
}

#[test]
#[should_panic(expected = "bits are set that CESR does not have")]
fn no_bit_must_be_lost_in_the_control() {
    running().write(Msr::CESR, 0x4D6);
}

#[test]
#[should_panic(expected = "bits are set that a counter does not have")]
fn no_bit_must_be_lost_in_a_counter() {
    running().write(counter(1), 1 << 40);
}
