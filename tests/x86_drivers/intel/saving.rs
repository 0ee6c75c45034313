//! What the unit and its line held is kept, and comes back.

use pmu::CounterId;
use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::arch::x86::{Apic, Lvtpc, Msr, Unattached, Window};
use pmu::driver::{Control, Counters, Plan as _, Registers};
use pmu::virt::{Device as _, Fault, Kinds, Unconnected};

use crate::intel::Bench;
use crate::support::line::Entry;
use crate::support::registers::Altered;

/// Somebody else's programming: every register that the unit has holds something.
pub(crate) fn disturb(bench: &Bench) {
    let (device, capabilities) = (bench.driver.registers(), bench.driver.capabilities());
    let number = |id: CounterId| id.number() & 31;
    for id in capabilities.general {
        device.write(Msr::counter(Window::Narrow, number(id)).unwrap(), 0x8000_0000 + u64::from(number(id)));
        device.write(Msr::select(number(id)).unwrap(), 0x0043_00C0 + u64::from(number(id)));
    }
    for id in capabilities.fixed {
        device.write(Msr::fixed(number(id)).unwrap(), 0xFF_0000_0000 + u64::from(number(id)));
    }
    for auxiliary in capabilities.auxiliaries {
        device.write(auxiliary.beside.register(), 3);
    }
    if capabilities.has_global() {
        device.write(Msr::FIXED_CONTROL, 0x3);
        device.write(Msr::GLOBAL_CONTROL, 1);
    }
    if capabilities.version >= 4 {
        device.write(Msr::GLOBAL_SET, 1 << 1 | 1 << 62);
    }
}

#[test]
fn a_saved_unit_counts_nothing_and_has_no_overflow() {
    for identity in &Identity::ALL {
        let bench = Bench::new(identity);
        disturb(&bench);
        bench.save();
        let before = bench.driver.registers().state();
        bench.work(1000);
        let after = bench.driver.registers().state();
        assert_eq!((after.general, after.fixed), (before.general, before.fixed), "{identity:?}");
        assert_eq!(after.global_status, 0, "{identity:?}");
    }
}

#[test]
fn the_line_is_taken_over_opened_and_given_back() {
    let (bench, apic) = (Bench::new(&Identity::SKYLAKE), Entry::default());
    apic.0.set(Lvtpc::NMI.masked().bits());
    let line = Apic::x2apic(&apic, Lvtpc::vector(0x40).unwrap());
    let driver = Intel::new(*bench.driver.registers(), line, Identity::SKYLAKE.capabilities());
    let saved = Intel::<&Device<Unconnected>, Unattached>::NOTHING_SAVED;
    driver.save(&saved);
    assert_eq!(apic.0.get(), 0x40);
    apic.0.set(1 << 16 | 0x40);
    driver.rearm();
    assert_eq!(apic.0.get(), 0x40);
    driver.restore(&saved);
    assert_eq!(apic.0.get(), Lvtpc::NMI.masked().bits());
}

/// The unit's state has changed since it was last looked at (CondChgd).
#[test]
fn a_change_that_was_noted_before_is_not_set_again_which_would_fault() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    assert_eq!(device.try_write(Msr::GLOBAL_SET, 1 << 63), Err(Fault::Reserved));
    device.write(Msr::GLOBAL_SET, 1);
    let has_changed = |at| if at == Msr::GLOBAL_STATUS { 1 << 63 } else { 0 };
    let registers = Altered::new(&device).reading(|device, at| device.read(at) | has_changed(at));
    let driver = Intel::new(registers, Unattached, Identity::SKYLAKE.capabilities());
    let saved = Intel::<Altered<'_, &Device<Unconnected>>, Unattached>::NOTHING_SAVED;
    driver.save(&saved);
    driver.restore(&saved);
    assert_eq!(device.try_read(Msr::GLOBAL_STATUS), Ok(1), "an overflow that was pending is again");
}
