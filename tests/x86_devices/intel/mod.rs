//! Intel's unit in software behaves as the manual says, and a guest cannot misuse it.

mod counting;
mod faults;
mod freezing;
#[path = "../guests.rs"]
mod guests;
mod hosts;
mod identities;
mod oracle;
mod overflow;
#[path = "../sampling.rs"]
mod sampling;
mod snapshots;
mod strict;

use pmu::arch::x86::intel::{Device, Identity};
use pmu::arch::x86::{Msr, Window};
use pmu::virt::{Device as _, Kinds, Trigger};

use crate::support::hostile::Line;

pub(crate) fn device<'l>(identity: &Identity, line: &'l Line) -> Device<&'l Line> {
    Device::new(identity, Kinds::CLOCK, line)
}

/// Counts in both modes and interrupts; event 0.
pub(crate) const ON: u64 = 1 << 22 | 1 << 20 | 1 << 17 | 1 << 16;
pub(crate) const INSTRUCTIONS: u64 = 0x00C0;
pub(crate) const CYCLES: u64 = 0x003C;

pub(crate) fn select(number: u8) -> Msr {
    Msr::select(number).unwrap()
}

pub(crate) fn narrow(number: u8) -> Msr {
    Msr::counter(Window::Narrow, number).unwrap()
}

pub(crate) fn full(number: u8) -> Msr {
    Msr::counter(Window::Full, number).unwrap()
}

pub(crate) fn fixed(number: u8) -> Msr {
    Msr::fixed(number).unwrap()
}

/// Lets all counters of the unit count, where there is a register for that.
pub(crate) fn enable_all<T: Trigger>(identity: &Identity, device: &Device<T>) {
    if identity.capabilities().has_global() {
        device.try_write(Msr::GLOBAL_CONTROL, identity.capabilities().counters_of_all_kinds().bits()).unwrap();
    }
}

/// General counter `number` counts instructions and interrupts `events` from now.
pub(crate) fn sample<T: Trigger>(device: &Device<T>, number: u8, events: u64) {
    device.try_write(select(number), ON | INSTRUCTIONS).unwrap();
    device.try_write(narrow(number), events.wrapping_neg()).unwrap();
}
