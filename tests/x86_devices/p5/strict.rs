//! The rules of `Strict`: what a driver must not do although the hardware permits it.

use pmu::arch::x86::Msr;
use pmu::arch::x86::p5::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::Strict;

use super::{counter, device};
use crate::support::rules::judges;

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
fn an_event_must_not_change_under_its_counter_nor_become_its_clocks() {
    let changed = Some("the event of a counter that counts is changed");
    judges(&running(), &[(Msr::CESR, 0xD2, changed), (Msr::CESR, 0x1D6, changed)]);
}

#[test]
fn what_is_lost_or_means_nothing_must_not_be_written() {
    judges(
        &running(),
        &[
            (Msr::CESR, 0x0116_00D6, Some("a counter counts clocks in no mode")),
            (Msr::CESR, 0x4D6, Some("bits are set that CESR does not have")),
            (counter(1), 1 << 40, Some("bits are set that a counter does not have")),
        ],
    );
}
