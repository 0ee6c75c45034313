//! The P6 family's unit in software behaves as the manual says, and a guest cannot misuse it.

mod counting;
mod faults;
#[path = "../guests.rs"]
mod guests;
mod identities;
mod oracle;
mod overflow;
#[path = "../sampling.rs"]
mod sampling;
mod snapshots;
mod strict;

use pmu::arch::x86::p6::{Device, Identity};
use pmu::arch::x86::{Msr, Window};
use pmu::virt::{Device as _, Kinds, Trigger};

use crate::support::hostile::Line;

pub(crate) fn device<'l>(identity: &Identity, line: &'l Line) -> Device<&'l Line> {
    Device::new(identity, Kinds::CLOCK, line)
}

pub(crate) const ENABLE: u64 = 1 << 22;
pub(crate) const INTERRUPT: u64 = 1 << 20;
pub(crate) const USER: u64 = 1 << 16;
pub(crate) const KERNEL: u64 = 1 << 17;
/// Counts in both modes and interrupts; event 0.
pub(crate) const ON: u64 = INTERRUPT | KERNEL | USER;
pub(crate) const INSTRUCTIONS: u64 = 0x00C0;
pub(crate) const CYCLES: u64 = 0x0079;

pub(crate) fn select(number: u8) -> Msr {
    Msr::select(number).unwrap()
}

pub(crate) fn counter(number: u8) -> Msr {
    Msr::counter(Window::Narrow, number).unwrap()
}

/// Counter `number` counts instructions and interrupts `events` from now; both counters are enabled.
pub(crate) fn sample<T: Trigger>(device: &Device<T>, number: u8, events: u64) {
    device.try_write(counter(number), events.wrapping_neg()).unwrap();
    device.try_write(select(number), ON | INSTRUCTIONS).unwrap();
    let first = device.try_read(select(0)).unwrap();
    device.try_write(select(0), first | ENABLE).unwrap();
}
