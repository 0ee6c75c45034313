//! What somebody has left in the unit before it is claimed.

use pmu::CounterId;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::Select;
use pmu::driver::{Description, Registers};

use super::unit;

/// The cycle counter.
const CYCLES: CounterId = CounterId::new(31).unwrap();

/// Fills every register with something of its own, these counters enabled; the unit as a whole is off, so that nothing
/// moves here.
pub fn leave(unit: &Description, enabled: u64) {
    let hardware = unit::hardware();
    hardware.write(SystemRegister::CONTROL, 1 << 6);
    for counter in unit.general.or(unit.fixed) {
        let number = u64::from(counter.number());
        hardware.write(SystemRegister::any_counter(counter), 0x1234_5600 + number);
        let kept = if counter == CYCLES { Select::NOT_USER.bits() } else { Select::NOT_KERNEL.bits() | number };
        hardware.write(SystemRegister::any_select(counter), kept);
    }
    hardware.write(SystemRegister::SELECTOR, 3);
    hardware.write(SystemRegister::USER_ENABLE, 0b1010);
    hardware.write(SystemRegister::ENABLE_CLEAR, 0xffff_ffff);
    hardware.write(SystemRegister::ENABLE_SET, enabled);
    hardware.write(SystemRegister::INTERRUPT_CLEAR, 0xffff_ffff);
    hardware.write(SystemRegister::INTERRUPT_SET, enabled >> 1);
    hardware.write(SystemRegister::OVERFLOW_CLEAR, 0xffff_ffff);
    hardware.write(SystemRegister::OVERFLOW_SET, enabled >> 2);
}
