//! The effect of a threshold on the count of an event.

use pmu::arch::aarch64::pmuv3::Identity;
use pmu::virt::{Device as _, Work};
use pmu::{CounterSet, Mode};

use super::{CYCLES, INSTRUCTIONS, counter, device, read, start};
use crate::support::line::Level;

/// TC, TE and TH.
fn threshold(control: u64, edge: u64, value: u64) -> u64 {
    control << 61 | edge << 60 | value << 32
}

/// What a counter counts of 30 instructions in 100 cycles, and whether it says that it is told.
fn counted(identity: &Identity, selection: u64) -> (u64, bool) {
    let line = Level::default();
    let device = device(identity, &line);
    start(&device, 0, selection, 0);
    device
        .advance(&Work::none(Mode::Kernel).with(pmu::virt::Kind::Instructions, 30).with(pmu::virt::Kind::Cycles, 100));
    (read(&device, counter(0)), device.unfed() == CounterSet::EMPTY)
}

#[test]
fn a_cycle_has_exactly_one_cycle_in_it() {
    let cases = [(0b010, 1, 100), (0b011, 1, 100), (0b100, 1, 100), (0b101, 2, 0), (0b110, 1, 0), (0b111, 2, 100)];
    for (control, value, expected) in cases {
        let selection = threshold(control, 0, value) | CYCLES;
        assert_eq!(counted(&Identity::ARMV9_4, selection), (expected, true), "{control:#b} {value}");
    }
}

#[test]
fn what_does_not_depend_on_the_cycle_is_told() {
    let cases = [(0b100, 0, 30), (0b100, 1, 30), (0b101, 0, 100), (0b010, 0, 0), (0b110, 1, 0), (0b111, 0, 0)];
    for (control, value, expected) in cases {
        let selection = threshold(control, 0, value) | INSTRUCTIONS;
        assert_eq!(counted(&Identity::ARMV9_4, selection), (expected, true), "{control:#b} {value}");
    }
}

#[test]
fn what_depends_on_the_cycle_is_not_guessed_at() {
    for (control, edge, value) in [(0b001, 0, 0), (0b000, 0, 2), (0b101, 0, 1), (0b010, 0, 1), (0b101, 1, 1)] {
        let selection = threshold(control, edge, value) | INSTRUCTIONS;
        assert_eq!(counted(&Identity::ARMV9_4, selection), (0, false), "{control:#b} {value}");
    }
}

#[test]
fn a_threshold_of_no_bits_is_no_threshold() {
    let selection = threshold(0b111, 1, 0xFFF) | INSTRUCTIONS;
    assert_eq!(counted(&Identity::ARMV8_7, selection), (30, true));
}

#[test]
fn a_threshold_has_as_many_bits_as_are_announced() {
    let line = Level::default();
    let device = device(&Identity::ARMV8_8, &line);
    start(&device, 0, threshold(0, 1, 0xFFF), 0);
    assert_eq!(read(&device, super::select(0)) >> 32, 0xF, "no edges either");
}
