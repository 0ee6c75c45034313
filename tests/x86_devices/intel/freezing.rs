//! Overflows that freeze the unit, where the guest has asked for that in IA32_DEBUGCTL.

use pmu::Mode;
use pmu::arch::x86::Msr;
use pmu::arch::x86::intel::{DebugControl, Device, Identity};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Work};

use super::{INSTRUCTIONS, ON, device, enable_all, narrow, sample, select};
use crate::support::hostile::Line;

const FROZEN: u64 = 1 << 59;

fn work(device: &Device<&Line>, instructions: u64) {
    device.advance(&Work::instructions(Mode::User, instructions));
}

/// Counter 0 overflows after 10 instructions, counter 1 counts on; all freeze if they can.
fn freezing<'l>(identity: &Identity, line: &'l Line) -> Device<&'l Line> {
    let device = device(identity, line);
    device.set_debug_control(DebugControl::FREEZE_COUNTERS);
    sample(&device, 0, 10);
    sample(&device, 1, 1000);
    enable_all(identity, &device);
    device
}

fn counts(device: &Device<&Line>) -> [u64; 2] {
    [device.read(narrow(0)), device.read(narrow(1))]
}

#[test]
fn from_version_4_on_the_status_freezes_all_counters_until_it_is_reset() {
    for identity in [Identity::SKYLAKE, Identity::SAPPHIRE_RAPIDS, Identity::LION_COVE] {
        let line = Line::default();
        let device = freezing(&identity, &line);
        let control = device.read(Msr::GLOBAL_CONTROL);
        work(&device, 10);
        let frozen = counts(&device);
        work(&device, 5);
        assert_eq!((device.read(Msr::GLOBAL_STATUS), line.rises()), (FROZEN | 1, 1), "{}", identity.name());
        assert_eq!((counts(&device), device.read(Msr::GLOBAL_CONTROL)), (frozen, control));
        device.write(Msr::GLOBAL_RESET, FROZEN);
        work(&device, 5);
        assert_eq!(counts(&device), frozen.map(|count| count + 5), "{}", identity.name());
    }
}

#[test]
fn in_versions_2_and_3_an_overflow_disables_all_counters_globally() {
    for identity in [Identity::CORE_2, Identity::NEHALEM] {
        let line = Line::default();
        let device = freezing(&identity, &line);
        work(&device, 10);
        let frozen = counts(&device);
        work(&device, 5);
        assert_eq!((device.read(Msr::GLOBAL_STATUS), device.read(Msr::GLOBAL_CONTROL)), (1, 0), "{}", identity.name());
        assert_eq!((counts(&device), line.rises()), (frozen, 1), "{}", identity.name());
        enable_all(&identity, &device);
        work(&device, 5);
        assert_eq!(counts(&device), frozen.map(|count| count + 5), "{}", identity.name());
    }
}

#[test]
fn version_1_has_nothing_to_freeze_with() {
    let line = Line::default();
    let device = freezing(&Identity::CORE_DUO, &line);
    work(&device, 15);
    assert_eq!((device.read(narrow(0)), device.state().debug_control), (5, 0));
}

#[test]
fn an_overflow_that_does_not_interrupt_freezes_nothing() {
    for identity in Identity::ALL {
        let line = Line::default();
        let device = freezing(&identity, &line);
        device.write(select(0), ON & !(1 << 20) | INSTRUCTIONS);
        work(&device, 15);
        assert_eq!((device.read(narrow(0)), line.rises()), (5, 0), "{}", identity.name());
    }
}

#[test]
fn no_overflow_freezes_anything_unless_it_is_asked_to() {
    for identity in Identity::ALL {
        let line = Line::default();
        let device = freezing(&identity, &line);
        device.set_debug_control(DebugControl::empty());
        work(&device, 15);
        assert_eq!((device.read(narrow(0)), line.rises()), (5, 1), "{}", identity.name());
    }
}

#[test]
fn a_frozen_unit_foretells_no_overflow() {
    let line = Line::default();
    let device = freezing(&Identity::SKYLAKE, &line);
    let step = Work::instructions(Mode::User, 1);
    assert_eq!(device.until_overflow(&step), Some(10));
    work(&device, 10);
    assert_eq!(device.until_overflow(&step), None);
    device.write(Msr::GLOBAL_RESET, FROZEN);
    assert_eq!(device.until_overflow(&step), Some(990));
}

/// Counts of 10 instructions of the kernel, 20 in system-management mode, and 5 more of the kernel.
fn counted_in_smm(identity: &Identity, control: DebugControl) -> u64 {
    let line = Line::default();
    let device = device(identity, &line);
    device.set_debug_control(control);
    device.write(select(0), ON | INSTRUCTIONS);
    enable_all(identity, &device);
    let instructions = |count| Work::instructions(Mode::Kernel, count);
    device.advance(&instructions(10));
    device.advance_in_smm(&instructions(20));
    device.advance(&instructions(5));
    device.read(narrow(0))
}

#[test]
fn what_system_management_mode_does_is_counted_unless_the_kernel_freezes_it() {
    let freezing = Identity::SKYLAKE.with_freezing_in_smm();
    assert_eq!(counted_in_smm(&freezing, DebugControl::empty()), 35);
    assert_eq!(counted_in_smm(&freezing, DebugControl::FREEZE_IN_SMM), 15);
    assert_eq!(counted_in_smm(&Identity::SKYLAKE, DebugControl::FREEZE_IN_SMM), 35, "it was not announced");
}
