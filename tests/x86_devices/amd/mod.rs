//! AMD's unit in software behaves as the manual says, and a guest cannot misuse it.

#[path = "../addresses.rs"]
mod addresses;
mod counting;
mod faults;
#[path = "../guests.rs"]
mod guests;
mod hosts;
mod identities;
#[path = "../leaves.rs"]
mod leaves;
mod merging;
mod oracle;
mod overflow;
#[path = "../selecting.rs"]
mod selecting;
mod strict;

use pmu::arch::x86::amd::{Device, Identity, Svm};
use pmu::arch::x86::{Block, Msr};
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
pub(crate) const CYCLES: u64 = 0x0076;

/// A selector by the address that all processors have; there are four.
pub(crate) fn legacy_select(number: u8) -> Msr {
    Msr::core_select(Block::Legacy, number).unwrap()
}

/// A counter by the address that all processors have; there are four.
pub(crate) fn legacy_counter(number: u8) -> Msr {
    Msr::core_counter(Block::Legacy, number).unwrap()
}

pub(crate) fn select(number: u8) -> Msr {
    Msr::core_select(Block::Core, number).unwrap()
}

pub(crate) fn counter(number: u8) -> Msr {
    Msr::core_counter(Block::Core, number).unwrap()
}

/// Counter `number`, one of the first four, counts instructions and interrupts `events` from now.
pub(crate) fn sample<D: virt::Device<Address = Msr>>(device: &D, number: u8, events: u64) {
    device.try_write(legacy_select(number), ON | INSTRUCTIONS).unwrap();
    device.try_write(legacy_counter(number), events.wrapping_neg()).unwrap();
}

struct Amd;

impl Family for Amd {
    lends! { pmu::arch::x86::amd, ticks }

    type Counter = u8;

    const COUNTERS: &'static [u8] = &[0, 1];
    const EDGE: Edge = Edge::wrapping(48);
    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::K8, |state| state.counters[4] = 1, Err(Fault::Absent)),
        (Identity::K8, |state| state.control = 1, Err(Fault::Absent)),
        (Identity::K8, |state| state.counters[1] = 1 << 48, Err(Fault::Reserved)),
        (Identity::K8, |state| state.selects[1] = 1 << 32, Err(Fault::Reserved)),
    ];

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let full = Oracle::new(identity).fullest();
        let mut of_guest = full;
        of_guest.svm = Svm::Guest;
        vec![of_guest, full]
    }

    fn start<D: virt::Device<Address = Msr>>(unit: &D, _: &Identity, number: u8, value: u64) {
        sample(unit, number, value.wrapping_neg());
    }

    fn value<D: virt::Device<Address = Msr>>(unit: &D, number: u8) -> u64 {
        unit.try_read(legacy_counter(number)).unwrap()
    }
}

every_device! { Amd, judged, interrupts, latches, pulses }
