//! Overflows: when they happen, the status they set, and their interrupts.

use pmu::Mode;
use pmu::arch::x86::Msr;
use pmu::arch::x86::amd::Identity;
use pmu::driver::Registers;
use pmu::virt::{Device as _, Work};

use super::{INSTRUCTIONS, ON, counter, device, legacy_counter, legacy_select, sample, select};
use crate::support::hostile::Line;

fn instructions(count: u64) -> Work {
    Work::instructions(Mode::User, count)
}

#[test]
fn a_counter_wraps_to_zero_at_48_bits() {
    for identity in Identity::ALL {
        let line = Line::default();
        let device = device(&identity, &line);
        sample(&device, 0, 3);
        for (passed, expected) in [(1, (1 << 48) - 2), (2, (1 << 48) - 1), (3, 0), (4, 1)] {
            device.advance(&instructions(1));
            let expected = (expected, u64::from(passed >= 3));
            assert_eq!((device.read(legacy_counter(0)), line.pulls()), expected, "{}", identity.name());
        }
    }
}

#[test]
fn several_wraps_at_once_leave_the_right_count_and_one_interrupt() {
    let line = Line::default();
    let device = device(&Identity::K8, &line);
    sample(&device, 0, 3);
    device.advance(&instructions(3 + 5 * (1 << 48) + 11));
    assert_eq!((device.read(legacy_counter(0)), line.pulls()), (11, 1));
}

#[test]
fn the_most_work_there_is_does_no_harm() {
    for identity in Identity::ALL {
        let line = Line::default();
        let device = device(&identity, &line);
        sample(&device, 0, 1);
        device.advance(&instructions(u64::MAX));
        assert_eq!((device.read(legacy_counter(0)), line.pulls()), ((1 << 48) - 2, 1), "{}", identity.name());
    }
}

#[test]
fn all_counters_overflow_at_once_and_none_is_lost() {
    let line = Line::default();
    let device = device(&Identity::ZEN_4, &line);
    for number in 0..6 {
        device.write(select(number), ON | INSTRUCTIONS);
        device.write(counter(number), 100_u64.wrapping_neg());
    }
    device.advance(&instructions(99));
    assert_eq!((device.read(Msr::CORE_STATUS), line.pulls()), (0, 0));
    device.advance(&instructions(1));
    assert_eq!((device.read(Msr::CORE_STATUS), line.pulls()), (0x3F, 1));
}

#[test]
fn an_overflow_without_int_shows_in_the_status_and_does_not_interrupt() {
    let line = Line::default();
    let device = device(&Identity::ZEN_4, &line);
    sample(&device, 1, 1);
    device.write(select(1), ON & !(1 << 20) | INSTRUCTIONS);
    device.advance(&instructions(1));
    assert_eq!((device.read(Msr::CORE_STATUS), line.pulls()), (1 << 1, 0));
}

#[test]
fn before_version_2_an_overflow_interrupts_and_leaves_no_trace() {
    for identity in Identity::ALL.into_iter().take(6) {
        let line = Line::default();
        let device = device(&identity, &line);
        sample(&device, 1, 5);
        device.advance(&instructions(5));
        assert_eq!((line.pulls(), device.state().status), (1, 0), "{}", identity.name());
        assert_eq!(device.read(legacy_counter(1)), 0, "but for the counter itself");
    }
}

#[test]
fn no_overflow_is_foretold_that_would_not_interrupt() {
    let line = Line::default();
    let quiet = |selector| {
        let device = device(&Identity::ZEN_2, &line);
        device.write(legacy_select(0), selector);
        device.until_overflow(&instructions(1))
    };
    assert_eq!(quiet(ON & !(1 << 20) | INSTRUCTIONS), None, "no INT");
    assert_eq!(quiet(ON & !(1 << 22) | INSTRUCTIONS), None, "not enabled");
    assert_eq!(quiet(ON & !(1 << 16) | INSTRUCTIONS), None, "another mode");
    assert_eq!(quiet(ON | 1 << 40 | INSTRUCTIONS), None, "guests only, and there is no SVM");
    assert_eq!(quiet(ON | 0x00C2), None, "branches, of which there are none");
    assert_eq!(quiet(ON | INSTRUCTIONS), Some(1 << 48));
}
