//! Overflows: when they happen, and their interrupts.

use pmu::Mode;
use pmu::arch::x86::p6::Identity;
use pmu::driver::Registers;
use pmu::virt::{Device as _, Work};

use super::{ENABLE, INSTRUCTIONS, INTERRUPT, ON, USER, counter, device, sample, select};
use crate::support::hostile::Line;

fn instructions(count: u64) -> Work {
    Work::instructions(Mode::User, count)
}

#[test]
fn a_counter_wraps_to_zero_at_40_bits() {
    for identity in Identity::ALL {
        let line = Line::default();
        let device = device(&identity, &line);
        sample(&device, 0, 3);
        for (passed, expected) in [(1, (1 << 40) - 2), (2, (1 << 40) - 1), (3, 0), (4, 1)] {
            device.advance(&instructions(1));
            let expected = (expected, u64::from(passed >= 3));
            assert_eq!((device.read(counter(0)), line.pulls()), expected, "{}", identity.name());
        }
    }
}

#[test]
fn several_wraps_at_once_leave_the_right_count_and_one_interrupt() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_III, &line);
    sample(&device, 0, 3);
    device.advance(&instructions(3 + 5 * (1 << 40) + 11));
    assert_eq!((device.read(counter(0)), line.pulls()), (11, 1));
}

#[test]
fn both_counters_overflow_at_once_and_leave_no_other_trace() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_II, &line);
    sample(&device, 0, 100);
    sample(&device, 1, 100);
    device.advance(&instructions(99));
    assert_eq!(line.pulls(), 0);
    device.advance(&instructions(1));
    assert_eq!((device.state().counters, line.pulls()), ([0, 0], 1));
}

#[test]
fn each_counter_interrupts_by_its_own_bit() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_PRO, &line);
    sample(&device, 0, 5);
    sample(&device, 1, 7);
    device.write(select(0), ON & !INTERRUPT | ENABLE | INSTRUCTIONS);
    device.advance(&instructions(5));
    assert_eq!((device.read(counter(0)), line.pulls()), (0, 0));
    device.advance(&instructions(2));
    assert_eq!((device.read(counter(1)), line.pulls()), (0, 1));
}

#[test]
fn without_an_apic_nothing_interrupts_and_everything_counts() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_M.without_apic(), &line);
    sample(&device, 0, 3);
    assert_eq!(device.until_overflow(&instructions(1)), None);
    device.advance(&instructions(5));
    assert_eq!((device.read(counter(0)), line.pulls()), (2, 0));
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
