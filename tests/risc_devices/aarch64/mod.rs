//! Arm's unit in software behaves as the manual says, and a guest cannot misuse it.

mod chains;
mod counting;
mod faults;
mod guest;
mod guests;
mod hypervisors;
mod identities;
mod line;
mod model;
mod overflow;
mod snapshots;
mod strict;
mod thresholds;
mod trapped;
mod users;
mod windows;

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::virt::{Device as _, Kinds, Trigger};

use line::Line;

pub(crate) fn device<'l>(identity: &Identity, line: &'l Line) -> Device<&'l Line> {
    Device::new(identity, Kinds::CLOCK, line)
}

pub(crate) const INSTRUCTIONS: u64 = 0x0008;
pub(crate) const CYCLES: u64 = 0x0011;
pub(crate) const CHAIN: u64 = 0x001E;
/// PMCR_EL0.E, LP and LC.
pub(crate) const ENABLE: u64 = 1 << 0;
pub(crate) const LONG_EVENTS: u64 = 1 << 7;
pub(crate) const LONG_CYCLES: u64 = 1 << 6;
/// The bits of the cycle counter and the instruction counter.
pub(crate) const C: u64 = 1 << 31;
pub(crate) const F0: u64 = 1 << 32;

pub(crate) fn counter(number: u8) -> SystemRegister {
    SystemRegister::counter(number).unwrap()
}

pub(crate) fn select(number: u8) -> SystemRegister {
    SystemRegister::select(number).unwrap()
}

/// Writes a register as EL1 does; it must be there.
pub(crate) fn write<T: Trigger>(device: &Device<T>, at: SystemRegister, value: u64) {
    assert_eq!(device.try_write(at, value), Ok(()), "{at:?}");
}

/// Reads a register as EL1 does; it must be there.
pub(crate) fn read<T: Trigger>(device: &Device<T>, at: SystemRegister) -> u64 {
    device.try_read(at).unwrap_or_else(|fault| panic!("{at:?}: {fault}"))
}

/// Event counter `number` counts `event` from `start`, and interrupts; the unit is on.
pub(crate) fn start<T: Trigger>(device: &Device<T>, number: u8, event: u64, start: u64) {
    write(device, select(number), event);
    write(device, counter(number), start);
    write(device, SystemRegister::INTERRUPT_SET, 1 << number);
    write(device, SystemRegister::ENABLE_SET, 1 << number);
    write(device, SystemRegister::CONTROL, read(device, SystemRegister::CONTROL) | ENABLE);
}
