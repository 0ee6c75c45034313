//! What the AMD driver does to its unit: finding it, encoding, placing, presetting, saving, and
//! claiming late interrupts; each against the device of a processor that has the thing in question.

#[path = "../bare/mod.rs"]
mod bare;
mod detecting;
mod encoding;
mod freezing;
mod late;
#[path = "../machine/mod.rs"]
#[allow(dead_code, reason = "each suite uses a part of it")]
mod machine;
mod placing;
mod unit;

pub(crate) use bare::counter;
use pmu::arch::x86::Unattached;
use pmu::arch::x86::amd::{Amd, Device, Identity};
use pmu::virt::{Kinds, Unconnected};

/// A processor's driver over its device.
pub(crate) type Bench = bare::Bench<Amd<&'static Device<Unconnected>, Unattached>>;

impl Bench {
    pub(crate) fn new(identity: &Identity) -> Self {
        Self::of(Amd::new(device(identity), Unattached, identity.facts()))
    }
}

pub(crate) fn device(identity: &Identity) -> &'static Device<Unconnected> {
    Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)))
}
