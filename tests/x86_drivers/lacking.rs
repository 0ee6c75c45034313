//! Machines of which some registers lose what is written to them, or are not there.

use std::cell::Cell;

use pmu::arch::x86::{Guarded, Index, Msr};
use pmu::driver::Registers;
use pmu::virt::Device;

use crate::support::registers::Altered;

pub(crate) struct Lacking<D: 'static> {
    pub(crate) device: &'static D,
    has: Box<dyn Fn(Msr) -> bool>,
}

impl<D: Device + Registers<Address = Msr, Index = Index>> Lacking<D> {
    pub(crate) fn new(device: &'static D, has: impl Fn(Msr) -> bool + 'static) -> Self {
        Self { device, has: Box::new(has) }
    }

    /// What it lacks holds 0.
    pub(crate) fn registers(&self) -> Altered<'_, &'static D> {
        Altered::new(self.device).reading(|device, at| if (self.has)(at) { device.read(at) } else { 0 }).writing(
            |device, at, value| {
                if (self.has)(at) {
                    device.write(at, value);
                }
            },
        )
    }
}

impl<D: Device<Address = Msr>> Guarded for Lacking<D> {
    fn try_read(&self, at: Msr) -> Option<u64> {
        self.device.try_read(at).ok().filter(|_| (self.has)(at))
    }

    fn try_write(&self, at: Msr, value: u64) -> Option<()> {
        self.device.try_write(at, value).ok().filter(|()| (self.has)(at))
    }
}

/// Counts accesses, and refuses all.
#[derive(Default)]
pub(crate) struct Refusing(pub(crate) Cell<u32>);

impl Guarded for Refusing {
    fn try_read(&self, _: Msr) -> Option<u64> {
        self.0.set(self.0.get() + 1);
        None
    }

    fn try_write(&self, _: Msr, _: u64) -> Option<()> {
        unreachable!("what cannot be read is not written")
    }
}
