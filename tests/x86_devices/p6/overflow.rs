//! Overflows: when they happen, and their interrupts.

use pmu::arch::x86::p6::Identity;
use pmu::driver::Registers;
use pmu::virt::Device as _;

use super::{ENABLE, INSTRUCTIONS, INTERRUPT, ON, USER, counter, device, sample, select};
use crate::support::hostile::Line;
use crate::support::work::instructions;

#[test]
fn each_counter_interrupts_by_its_own_bit() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_PRO, &line);
    sample(&device, 0, 5);
    sample(&device, 1, 7);
    device.write(select(0), ON & !INTERRUPT | ENABLE | INSTRUCTIONS);
    device.advance(&instructions(5));
    assert_eq!((device.read(counter(0)), line.rises()), (0, 0));
    device.advance(&instructions(2));
    assert_eq!((device.read(counter(1)), line.rises()), (0, 1));
}

#[test]
fn without_an_apic_nothing_interrupts_and_everything_counts() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_M.without_apic(), &line);
    sample(&device, 0, 3);
    assert_eq!(device.until_overflow(&instructions(1)), None);
    device.advance(&instructions(5));
    assert_eq!((device.read(counter(0)), line.rises()), (2, 0));
}

#[test]
fn no_overflow_is_foretold_that_would_not_interrupt() {
    let line = Line::default();
    let quiet = |selector| {
        let device = device(&Identity::PENTIUM_III, &line);
        device.write(select(0), selector);
        device.until_overflow(&instructions(1))
    };
    assert_eq!(quiet(ENABLE | USER | INSTRUCTIONS), None, "no INT");
    assert_eq!(quiet(ON | INSTRUCTIONS), None, "not enabled");
    assert_eq!(quiet(ON & !USER | ENABLE | INSTRUCTIONS), None, "another mode");
    assert_eq!(quiet(ON | ENABLE | 0x00C4), None, "branches, of which there are none");
    assert_eq!(quiet(ON | ENABLE | INSTRUCTIONS), Some(1 << 40));
}
