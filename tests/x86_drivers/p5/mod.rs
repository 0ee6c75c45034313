//! What the Pentium's driver does to its unit: finding it, encoding, placing, counting over the wraps of its counters, and
//! giving it back.

mod counting;
mod detecting;
mod encoding;
#[path = "../running.rs"]
mod running;
mod unit;

use crate::support::bare;
pub(crate) use bare::counter;
use pmu::arch::x86::p5::{Device, Identity, P5};
use pmu::virt::{Kinds, Strict};

use unit::{disturb, open_all};

/// The processors, and how many events their counters wait for.
const TRIED: &[Identity] = &Identity::ALL;
const LENGTHS: &[u64] = &[1, 2, 1000, 1 << 31, 1 << 39];

type Registers = &'static Strict<Device>;
type Driver = P5<Registers>;

/// A processor's driver over its device, which accepts no access that breaks a rule.
pub(crate) type Bench = bare::Bench<Driver>;

impl Bench {
    pub(crate) fn new(identity: &Identity) -> Self {
        Self::of(P5::new(device(identity), identity.capabilities()))
    }
}

pub(crate) fn device(identity: &Identity) -> Registers {
    Box::leak(Box::new(Strict(Device::new(identity, Kinds::CLOCK))))
}
