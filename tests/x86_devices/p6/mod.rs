//! The P6 family's unit in software behaves as the manual says, and a guest cannot misuse it.

#[path = "../addresses.rs"]
mod addresses;
mod counting;
mod faults;
#[path = "../guests.rs"]
mod guests;
mod identities;
#[path = "../leaves.rs"]
mod leaves;
mod oracle;
mod overflow;
#[path = "../selecting.rs"]
mod selecting;
mod strict;

use pmu::arch::x86::p6::{Device, Identity};
use pmu::arch::x86::{Msr, Window};
use pmu::virt::{self, Fault, Kinds};

use crate::every_device::{Edge, Family, Judged, StateOf};
use crate::support::line::Line;
use oracle::Oracle;

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
pub(crate) fn sample<D: virt::Device<Address = Msr>>(device: &D, number: u8, events: u64) {
    device.try_write(counter(number), events.wrapping_neg()).unwrap();
    device.try_write(select(number), ON | INSTRUCTIONS).unwrap();
    let first = device.try_read(select(0)).unwrap();
    device.try_write(select(0), first | ENABLE).unwrap();
}

struct P6;

impl Family for P6 {
    lends! { pmu::arch::x86::p6, ticks }

    type Counter = u8;

    const COUNTERS: &'static [u8] = &[0, 1];
    const EDGE: Edge = Edge::wrapping(40);
    /// The second selector has no enable bit.
    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::PENTIUM_III, |state| state.selects[0] = ENABLE, Ok(())),
        (Identity::PENTIUM_III, |state| state.selects[1] = ENABLE, Err(Fault::Reserved)),
    ];

    /// The second would be others if a sign were extended.
    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        let full = Oracle::new(identity).fullest();
        let mut between = full;
        between.counters = [0x7F_8000_0000, 5];
        vec![full, between]
    }

    fn start<D: virt::Device<Address = Msr>>(unit: &D, _: &Identity, number: u8, value: u64) {
        sample(unit, number, value.wrapping_neg());
    }

    fn value<D: virt::Device<Address = Msr>>(unit: &D, number: u8) -> u64 {
        unit.try_read(counter(number)).unwrap()
    }
}

every_device! { P6, judged, interrupts, latches, pulses }
