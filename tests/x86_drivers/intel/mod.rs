//! What the Intel driver does to its unit: encoding, placing, presetting, saving; each against
//! the device of a processor that has the thing in question.

mod detecting;
mod encoding;
mod freezing;
mod lagging;
mod periods;
mod placing;
mod saving;
mod sharing;
mod subcodes;
mod unit;

use crate::support::bare;
pub(crate) use bare::counter;
use pmu::CounterSet;
use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{Device, Identity, Intel};
use pmu::driver::{Control, Counters};
use pmu::virt::{Kinds, Unconnected};

type Driver = Intel<&'static Device<Unconnected>, Unattached>;

/// A processor's driver over its device.
pub(crate) type Bench = bare::Bench<Driver>;

impl Bench {
    pub(crate) fn new(identity: &Identity) -> Self {
        let device = Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)));
        Self::of(Intel::new(device, Unattached, identity.capabilities()))
    }

    /// Keeps what the unit holds, and halts it.
    pub(crate) fn save(&self) -> <Driver as Control>::Saved {
        let saved = Driver::NOTHING_SAVED;
        self.driver.save(&saved);
        saved
    }

    /// Those of these counters that have overflowed.
    pub(crate) fn overflowed(&self, among: CounterSet) -> CounterSet {
        let mut overflowed = CounterSet::EMPTY;
        self.driver.overflowed(&self.image, among, |id, _| overflowed = overflowed.or(id.only()));
        overflowed
    }
}
