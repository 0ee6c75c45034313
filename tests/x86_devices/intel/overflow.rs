//! Overflows: when they happen, the status they set, and their interrupts.

use pmu::arch::x86::Msr;
use pmu::arch::x86::intel::Identity;
use pmu::virt::Device as _;

use super::{INSTRUCTIONS, ON, device, enable_all, fixed, narrow, sample, select};
use crate::support::hostile::Line;
use crate::support::work::instructions;

#[test]
fn all_counters_overflow_at_once_and_none_is_lost() {
    for identity in Identity::ALL.into_iter().skip(1) {
        let line = Line::default();
        let (device, capabilities) = (device(&identity, &line), identity.capabilities());
        for general in capabilities.general {
            sample(&device, general.number(), 100);
        }
        let mut control = 0;
        for id in capabilities.fixed.into_iter().map(|id| id.number() - 32) {
            control |= 0b1011 << (id * 4);
            device.try_write(fixed(id), (1 << capabilities.fixed_width().bits()) - 100).unwrap();
        }
        device.try_write(Msr::FIXED_CONTROL, control).unwrap();
        enable_all(&identity, &device);
        device.advance(&instructions(99));
        assert_eq!((device.try_read(Msr::GLOBAL_STATUS), line.rises()), (Ok(0), 0), "{}", identity.name());
        device.advance(&instructions(1));
        // No slots were reported: counter 3 among the fixed ones has not moved.
        let all = capabilities.counters_of_all_kinds().bits() & !(1 << 35);
        assert_eq!((device.try_read(Msr::GLOBAL_STATUS), line.rises()), (Ok(all), 1), "{}", identity.name());
    }
}

#[test]
fn an_overflow_without_int_shows_in_the_status_and_does_not_interrupt() {
    let line = Line::default();
    let device = device(&Identity::CORE_2, &line);
    device.try_write(select(1), ON & !(1 << 20) | INSTRUCTIONS).unwrap();
    device.try_write(narrow(1), u64::MAX).unwrap();
    device.advance(&instructions(1));
    assert_eq!((device.try_read(Msr::GLOBAL_STATUS), line.rises()), (Ok(1 << 1), 0));
}

#[test]
fn version_1_interrupts_and_leaves_no_trace() {
    let line = Line::default();
    let device = device(&Identity::CORE_DUO, &line);
    sample(&device, 1, 5);
    device.advance(&instructions(5));
    assert_eq!((line.rises(), device.state().global_status, device.try_read(narrow(1))), (1, 0, Ok(0)));
}

#[test]
fn acknowledging_clears_the_bits_that_are_written_and_no_others() {
    let line = Line::default();
    let device = device(&Identity::NEHALEM, &line);
    (0..4).for_each(|number| sample(&device, number, 1));
    device.advance(&instructions(1));
    device.try_write(Msr::GLOBAL_RESET, 0b0101).unwrap();
    assert_eq!(device.try_read(Msr::GLOBAL_STATUS), Ok(0b1010));
    assert_eq!(device.try_read(Msr::GLOBAL_RESET), Ok(0));
}

#[test]
fn setting_the_status_sets_bits_and_does_not_interrupt() {
    let line = Line::default();
    let device = device(&Identity::SKYLAKE, &line);
    device.try_write(Msr::GLOBAL_SET, 1 << 32 | 1).unwrap();
    assert_eq!((device.try_read(Msr::GLOBAL_STATUS), line.rises()), (Ok(1 << 32 | 1), 0));
}

#[test]
fn an_overflow_that_was_not_acknowledged_interrupts_again() {
    let line = Line::default();
    let device = device(&Identity::NEHALEM, &line);
    for risen in 1..=3 {
        sample(&device, 0, 4);
        device.advance(&instructions(4));
        assert_eq!((line.rises(), device.try_read(Msr::GLOBAL_STATUS)), (risen, Ok(1)));
    }
}

#[test]
fn no_overflow_is_foretold_that_would_not_interrupt() {
    let line = Line::default();
    let quiet = |selector| {
        let device = device(&Identity::NEHALEM, &line);
        device.try_write(select(0), selector).unwrap();
        device.until_overflow(&instructions(1))
    };
    assert_eq!(quiet(ON & !(1 << 20) | INSTRUCTIONS), None, "no INT");
    assert_eq!(quiet(ON & !(1 << 22) | INSTRUCTIONS), None, "not enabled");
    assert_eq!(quiet(ON & !(1 << 16) | INSTRUCTIONS), None, "another mode");
    assert_eq!(quiet(ON | 0x00C4), None, "branches, of which there are none");
    assert_eq!(quiet(ON | INSTRUCTIONS), Some(1 << 48));
}
