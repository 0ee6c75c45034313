//! The guest's counters in the real unit, whichever processor the guest sees.

use super::{Device, Unit};
use crate::arch::x86::{Index, Msr, Msrs};
use crate::contract::Description;
use crate::event::{CounterSet, Request};
use crate::virt::{PassThrough, Trigger};

impl<T: Trigger> PassThrough for Unit<T> {
    type Address = Msr;
    type Index = Index;

    fn fits(&self, real: &Description, encodes: impl Fn(&Request) -> bool) -> Result<(), &'static str> {
        match &self.device {
            Device::Intel(device) => device.fits(real, encodes),
            Device::Amd(device) => device.fits(real, encodes),
            Device::Netburst(_) | Device::P6(_) | Device::P5(..) => Err("the guest's unit is older than version 4"),
            Device::NoUnit(..) => Err("the guest has no unit"),
        }
    }

    #[inline]
    fn in_use(&self) -> CounterSet {
        match &self.device {
            Device::Intel(device) => device.in_use(),
            Device::Amd(device) => device.in_use(),
            _ => CounterSet::EMPTY,
        }
    }

    fn load<R: Msrs>(&self, onto: &R) {
        match &self.device {
            Device::Intel(device) => device.load(onto),
            Device::Amd(device) => device.load(onto),
            _ => {}
        }
    }

    fn collect<R: Msrs>(&self, from: &R) {
        match &self.device {
            Device::Intel(device) => device.collect(from),
            Device::Amd(device) => device.collect(from),
            _ => {}
        }
    }
}
