//! What the Intel driver does to its unit: encoding, placing, presetting, saving; each against
//! the device of a processor that has the thing in question.

mod encoding;
mod placing;
mod unit;

use pmu::arch::x86::intel::{Device, Identity, Image, Intel};
use pmu::arch::x86::{Demand, Unattached};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Backend, Conflict, CounterId, CounterSet, Image as _, Refusal, Request, Slot};

type Unit = Intel<&'static Device<Unconnected>, Unattached>;

/// A processor's driver over its device.
pub(crate) fn driver(identity: &Identity) -> Unit {
    let device = Box::leak(Box::new(Device::new(identity, Kinds::CLOCK, Unconnected)));
    Intel::new(device, Unattached, identity.facts())
}

/// The counter with this number: 32 and more are the fixed ones.
pub(crate) fn counter(number: u8) -> CounterId {
    CounterId::new(number).expect("numbers go to 63")
}

/// A driver, its image, and what is placed there.
pub(crate) struct Bench {
    pub(crate) driver: Unit,
    pub(crate) image: Image,
}

impl Bench {
    pub(crate) fn new(identity: &Identity) -> Self {
        Self { driver: driver(identity), image: Image::BLANK }
    }

    pub(crate) fn encode(&self, request: impl Into<Request>) -> Result<Demand, Refusal> {
        self.driver.encode(&request.into())
    }

    /// Places requests beside what is there, and programs them.
    pub(crate) fn open<const N: usize>(&self, requests: [impl Into<Request>; N]) -> Result<[Slot; N], Conflict> {
        let demands = requests.map(|request| self.encode(request).expect("the request is possible"));
        let mut slots = [Slot::EMPTY; N];
        let program = self.driver.place(&self.image, &demands, &mut slots)?;
        self.driver.load(&self.image, &program, &slots, CounterSet::EMPTY);
        Ok(slots)
    }

    /// The numbers of the counters that requests are placed on.
    pub(crate) fn counters<const N: usize>(&self, requests: [impl Into<Request>; N]) -> Result<[u8; N], Conflict> {
        Ok(self.open(requests)?.map(|slot| slot.counter.number()))
    }
}
