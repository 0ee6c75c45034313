//! What the Pentium's driver does to its unit: finding it, encoding, placing, counting over the wraps of its counters, and
//! giving it back.

mod counting;
mod detecting;
mod encoding;
mod unit;

use crate::support::bare;
pub(crate) use bare::counter;
use pmu::CounterSet;
use pmu::arch::x86::p5::{Device, Identity, P5};
use pmu::driver::Counters;
use pmu::virt::{Kinds, Strict};

type Registers = &'static Strict<Device>;
type Driver = P5<Registers>;

/// A processor's driver over its device, which accepts no access that breaks a rule.
pub(crate) type Bench = bare::Bench<Driver>;

impl Bench {
    pub(crate) fn new(identity: &Identity) -> Self {
        Self::of(P5::new(device(identity), identity.capabilities()))
    }

    /// Those of these counters that have overflowed.
    pub(crate) fn overflowed(&self, among: CounterSet) -> CounterSet {
        let mut overflowed = CounterSet::EMPTY;
        self.driver.overflowed(&self.image, among, |id, _| overflowed = overflowed.or(id.only()));
        overflowed
    }
}

pub(crate) fn device(identity: &Identity) -> Registers {
    Box::leak(Box::new(Strict(Device::new(identity, Kinds::CLOCK))))
}
