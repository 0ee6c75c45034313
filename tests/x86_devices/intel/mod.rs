//! Intel's unit in software behaves as the manual says, and a guest cannot misuse it.

#[path = "../addresses.rs"]
mod addresses;
mod counting;
mod faults;
mod freezing;
#[path = "../guests.rs"]
mod guests;
mod hosts;
mod identities;
#[path = "../leaves.rs"]
mod leaves;
mod oracle;
mod overflow;
#[path = "../selecting.rs"]
mod selecting;
mod strict;

use pmu::arch::x86::intel::{Device, Identity};
use pmu::arch::x86::{Msr, Window};
use pmu::virt::{self, Fault, Kinds};

use crate::every_device::{Edge, Family, Judged, StateOf};
use crate::support::line::Line;
use oracle::Oracle;

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
pub(crate) fn enable_all<D: virt::Device<Address = Msr>>(identity: &Identity, device: &D) {
    if identity.capabilities().has_global() {
        device.try_write(Msr::GLOBAL_CONTROL, identity.capabilities().counters_of_all_kinds().bits()).unwrap();
    }
}

/// General counter `number` counts instructions and interrupts `events` from now.
pub(crate) fn sample<D: virt::Device<Address = Msr>>(device: &D, number: u8, events: u64) {
    device.try_write(select(number), ON | INSTRUCTIONS).unwrap();
    device.try_write(narrow(number), events.wrapping_neg()).unwrap();
}

struct Intel;

impl Family for Intel {
    lends! { pmu::arch::x86::intel, ticks }

    type Counter = Msr;

    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::CORE_DUO, |state| state.general[2] = 1, Err(Fault::Absent)),
        (Identity::CORE_DUO, |state| state.fixed[0] = 1, Err(Fault::Absent)),
        (Identity::CORE_DUO, |state| state.global_control = 1, Err(Fault::Absent)),
        (Identity::CORE_DUO, |state| state.general[1] = 1 << 40, Err(Fault::Reserved)),
    ];

    fn identities() -> Vec<Identity> {
        oracle::ALL.to_vec()
    }

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        vec![Oracle::new(identity).fullest()]
    }

    fn counters(identity: &Identity) -> Vec<Msr> {
        let capabilities = identity.capabilities();
        let whole = (capabilities.window() == Window::Full).then(|| full(0));
        let fixed = (!capabilities.fixed.is_empty()).then(|| fixed(0));
        [narrow(0), narrow(1)].into_iter().chain(whole).chain(fixed).collect()
    }

    fn edge(identity: &Identity, counter: Msr) -> Edge {
        let capabilities = identity.capabilities();
        let width = if counter == fixed(0) { capabilities.fixed_width() } else { capabilities.general_width() };
        Edge::wrapping(width.bits())
    }

    fn start<D: virt::Device<Address = Msr>>(unit: &D, identity: &Identity, counter: Msr, value: u64) {
        let (select, control) = match counter == fixed(0) {
            true => (Msr::FIXED_CONTROL, 0b1011),
            false => (select(u8::from(counter == narrow(1))), ON | INSTRUCTIONS),
        };
        unit.try_write(select, control).unwrap();
        enable_all(identity, unit);
        unit.try_write(counter, value).unwrap();
    }

    fn value<D: virt::Device<Address = Msr>>(unit: &D, counter: Msr) -> u64 {
        unit.try_read(counter).unwrap()
    }
}

every_device! { Intel, judged, interrupts, latches, pulses }
