//! What the P6 family's driver does to its unit: finding it, encoding, placing, presetting, saving, lending, and claiming
//! late interrupts.

mod detecting;
mod encoding;
mod late;
mod reading;
#[path = "../running.rs"]
mod running;
mod unit;

use crate::support::bare;
pub(crate) use bare::counter;
use pmu::CounterSet;
use pmu::arch::x86::p6::{Device, Identity, P6};
use pmu::arch::x86::{Msr, Unattached, Window};
use pmu::virt::{Kinds, Strict, Unconnected};

use unit::{disturb, open_all};

/// The processors, and how many events their counters wait for.
const TRIED: &[Identity] = &[
    Identity::PENTIUM_PRO,
    Identity::PENTIUM_II,
    Identity::PENTIUM_III,
    Identity::PENTIUM_M,
    Identity::PENTIUM_M.without_apic(),
];
const LENGTHS: &[u64] = &[2, 3, 1000, 1 << 31];

/// The unit is strict: a driver that writes a counter that counts, or changes its selector, panics.
pub(crate) type Unit = Strict<Device<Unconnected>>;
pub(crate) type Driver = P6<&'static Unit, Unattached>;

/// A processor's driver over its device.
pub(crate) type Bench = bare::Bench<Driver>;

impl Bench {
    pub(crate) fn new(identity: &Identity) -> Self {
        Self::of(P6::new(device(identity), Unattached, identity.capabilities()))
    }
}

pub(crate) fn device(identity: &Identity) -> &'static Unit {
    Box::leak(Box::new(Strict(Device::new(identity, Kinds::CLOCK, Unconnected))))
}

pub(crate) const BOTH: CounterSet = CounterSet::first(2);

pub(crate) fn select(number: u8) -> Msr {
    Msr::select(number).unwrap()
}

pub(crate) fn register(number: u8) -> Msr {
    Msr::counter(Window::Narrow, number).unwrap()
}
