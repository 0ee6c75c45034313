//! The Pentium's unit in software behaves as the manual says, and a guest cannot misuse it.

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
mod strict;

use pmu::arch::x86::Msr;
use pmu::arch::x86::p5::{Device, Identity};
use pmu::virt::{self, Kinds};

use crate::every_device::{AddressOf, Edge, Family, StateOf};
use crate::support::line::Line;

pub(crate) fn device(identity: &Identity) -> Device {
    Device::new(identity, Kinds::CLOCK)
}

pub(crate) fn counter(number: u8) -> Msr {
    Msr::p5_counter(number).unwrap()
}

/// Its units have no line.
struct P5;

impl Family for P5 {
    type Identity = Identity;
    type Device = Device;
    type Counter = u8;

    const IDENTITIES: &'static [Identity] = &Identity::ALL;
    const COUNTERS: &'static [u8] = &[0, 1];
    const EDGE: Edge = Edge::wrapping(40);

    fn name(identity: &Identity) -> &'static str {
        identity.name()
    }

    fn unit(identity: &Identity) -> Device {
        device(identity)
    }

    fn alone(identity: &Identity) -> impl virt::Device<Address = AddressOf<Self>, State = StateOf<Self>> {
        device(identity)
    }

    fn line(_: &Device) -> &Line {
        unreachable!("nothing is asked of a line here")
    }

    fn contents(_: &Identity) -> Vec<StateOf<Self>> {
        vec![oracle::fullest()]
    }

    fn reset(unit: &Device) {
        unit.reset();
    }

    fn after_reset(mut new: StateOf<Self>, before: &StateOf<Self>) -> StateOf<Self> {
        new.ticks = before.ticks;
        new
    }

    /// Instructions are event 16H, counted at all levels by bits 6 and 7.
    fn start<D: virt::Device<Address = Msr>>(unit: &D, _: &Identity, number: u8, value: u64) {
        unit.try_write(counter(number), value).unwrap();
        let control = unit.try_read(Msr::CESR).unwrap();
        unit.try_write(Msr::CESR, control | 0xD6 << (16 * number)).unwrap();
    }

    fn value<D: virt::Device<Address = Msr>>(unit: &D, number: u8) -> u64 {
        unit.try_read(counter(number)).unwrap()
    }
}

every_device! { P5 }
