//! What the AMD driver does to its unit: finding it, encoding, placing, presetting, saving, and
//! claiming late interrupts; each against the device of a processor that has the thing in question.

mod detecting;
mod encoding;
mod exact;
mod freezing;
mod late;
mod placing;
mod unit;

use crate::support::bare;
pub(crate) use bare::counter;
use pmu::CounterSet;
use pmu::arch::x86::Unattached;
use pmu::arch::x86::amd::{Amd, Device, Identity};
use pmu::driver::{Control, Counters};
use pmu::virt::{Kinds, Unconnected};

type Driver = Amd<&'static Device<Unconnected>, Unattached>;

/// A processor's driver over its device.
pub(crate) type Bench = bare::Bench<Driver>;

impl Bench {
    pub(crate) fn new(identity: &Identity) -> Self {
        Self::of(Amd::new(device(identity), Unattached, identity.capabilities()))
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

pub(crate) fn device(identity: &Identity) -> &'static Device<Unconnected> {
    Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)))
}
