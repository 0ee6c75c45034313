//! What the Intel driver does to its unit: encoding, placing, presetting, saving; each against
//! the device of a processor that has the thing in question.

mod detecting;
mod encoding;
mod freezing;
mod lagging;
mod periods;
mod placing;
#[path = "../running.rs"]
mod running;
mod saving;
mod sharing;
mod subcodes;
mod unit;

use crate::support::bare;
pub(crate) use bare::counter;
use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::virt::{Kinds, Unconnected};

use saving::disturb;
use unit::open_all;

/// The processors, and how many events their counters wait for.
const TRIED: &[Identity] = &Identity::ALL;
const LENGTHS: &[u64] = &[32, 33, 1000, 1 << 31];

type Driver = Intel<&'static Device<Unconnected>, Unattached>;

/// A processor's driver over its device.
pub(crate) type Bench = bare::Bench<Driver>;

impl Bench {
    pub(crate) fn new(identity: &Identity) -> Self {
        let device = Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)));
        Self::of(Intel::new(device, Unattached, identity.capabilities()))
    }
}
