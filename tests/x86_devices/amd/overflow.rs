//! Overflows: when they happen, the status they set, and their interrupts.

use pmu::arch::x86::Msr;
use pmu::arch::x86::amd::Identity;
use pmu::driver::Registers;
use pmu::virt::Device as _;

use super::{INSTRUCTIONS, ON, counter, device, legacy_counter, legacy_select, sample, select};
use crate::support::hostile::Line;
use crate::support::work::instructions;

#[test]
fn all_counters_overflow_at_once_and_none_is_lost() {
    let line = Line::default();
    let device = device(&Identity::ZEN_4, &line);
    for number in 0..6 {
        device.write(select(number), ON | INSTRUCTIONS);
        device.write(counter(number), 100_u64.wrapping_neg());
    }
    device.advance(&instructions(99));
    assert_eq!((device.read(Msr::CORE_STATUS), line.rises()), (0, 0));
    device.advance(&instructions(1));
    assert_eq!((device.read(Msr::CORE_STATUS), line.rises()), (0x3F, 1));
}

#[test]
fn an_overflow_without_int_shows_in_the_status_and_does_not_interrupt() {
    let line = Line::default();
    let device = device(&Identity::ZEN_4, &line);
    sample(&device, 1, 1);
    device.write(select(1), ON & !(1 << 20) | INSTRUCTIONS);
    device.advance(&instructions(1));
    assert_eq!((device.read(Msr::CORE_STATUS), line.rises()), (1 << 1, 0));
}

#[test]
fn before_version_2_an_overflow_interrupts_and_leaves_no_trace() {
    for identity in Identity::ALL.into_iter().take(6) {
        let line = Line::default();
        let device = device(&identity, &line);
        sample(&device, 1, 5);
        device.advance(&instructions(5));
        assert_eq!((line.rises(), device.state().status), (1, 0), "{}", identity.name());
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
