//! What the AMD driver does to its unit: finding it, encoding, placing, presetting, saving, and
//! claiming late interrupts; each against the device of a processor that has the thing in question.

mod detecting;
mod encoding;
mod exact;
mod freezing;
mod late;
mod placing;
#[path = "../running.rs"]
mod running;
mod unit;

use crate::support::bare;
pub(crate) use bare::counter;
use pmu::arch::x86::Unattached;
use pmu::arch::x86::amd::{Amd, Device, Identity};
use pmu::virt::{Kinds, Unconnected};

use unit::{disturb, open_all};

/// The processors, and how many events their counters wait for.
const TRIED: &[Identity] = &Identity::ALL;
const LENGTHS: &[u64] = &[2, 3, 1000, 1 << 31, 1 << 47];

type Driver = Amd<&'static Device<Unconnected>, Unattached>;

/// A processor's driver over its device.
pub(crate) type Bench = bare::Bench<Driver>;

impl Bench {
    pub(crate) fn new(identity: &Identity) -> Self {
        Self::of(Amd::new(device(identity), Unattached, identity.capabilities()))
    }
}

pub(crate) fn device(identity: &Identity) -> &'static Device<Unconnected> {
    Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)))
}
