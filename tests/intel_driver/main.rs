//! What the Intel driver does to its unit: encoding, placing, presetting, saving; each against
//! the device of a processor that has the thing in question.

#[path = "../bare/mod.rs"]
mod bare;
mod encoding;
mod freezing;
mod placing;
mod unit;

pub(crate) use bare::counter;
use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::virt::{Kinds, Unconnected};

/// A processor's driver over its device.
pub(crate) type Bench = bare::Bench<Intel<&'static Device<Unconnected>, Unattached>>;

impl Bench {
    pub(crate) fn new(identity: &Identity) -> Self {
        let device = Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)));
        Self::of(Intel::new(device, Unattached, identity.facts()))
    }
}
