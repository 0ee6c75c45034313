//! A driver without a unit, and its placements.

use std::ops::Deref;

use pmu::driver::{Driver, Image, Slot, Steps};
use pmu::request::{Conflict, Refusal};
use pmu::virt::{Device, Work};
use pmu::{CounterId, CounterSet, Mode, Request};

/// The counter with this number.
pub(crate) fn counter(number: u8) -> CounterId {
    CounterId::new(number).expect("numbers go to 63")
}

/// Which requests conflict, and over what.
pub(crate) fn over(conflict: Result<impl Sized, Conflict>) -> (u64, String) {
    let conflict = conflict.err().expect("they cannot be together");
    (conflict.requests.bits(), conflict.to_string())
}

/// A driver, its image, and what is placed there.
pub(crate) struct Bench<B: Driver> {
    pub(crate) driver: B,
    pub(crate) image: B::Image,
}

impl<B: Driver> Bench<B> {
    pub(crate) fn of(driver: B) -> Self {
        Self { driver, image: B::Image::BLANK }
    }

    /// Keeps what the unit holds, and takes it over.
    pub(crate) fn claim(&self) -> B::Saved {
        let saved = self.save();
        self.driver.reload(&self.image);
        saved
    }

    /// Keeps what the unit holds, and halts it.
    pub(crate) fn save(&self) -> B::Saved {
        let saved = B::NOTHING_SAVED;
        self.driver.save(&saved);
        saved
    }

    /// Those of these counters that have overflowed.
    pub(crate) fn overflowed(&self, among: CounterSet) -> CounterSet {
        self.past(among).into_iter().map(|(number, _)| counter(number)).collect()
    }

    /// Their numbers, and how far they are past it.
    pub(crate) fn past(&self, among: CounterSet) -> Vec<(u8, i64)> {
        let mut all = Vec::new();
        self.driver.overflowed(&self.image, among, |counter, past| all.push((counter.number(), past)));
        all
    }

    pub(crate) fn encode(&self, request: impl Into<Request>) -> Result<B::Demand, Refusal> {
        self.driver.encode(&request.into())
    }

    pub(crate) fn refusal(&self, request: impl Into<Request>) -> Option<Refusal> {
        self.encode(request).err()
    }

    /// Places requests beside what is there, and programs them.
    pub(crate) fn open<const N: usize>(&self, requests: [impl Into<Request>; N]) -> Result<[Slot; N], Conflict> {
        let demands = requests.map(|request| self.encode(request).expect("the request is possible"));
        let mut slots = [Slot::EMPTY; N];
        let program = self.driver.place(&self.image.occupancy(), &demands, Steps::OPEN, &mut slots)?;
        self.driver.load(&self.image, &program, &slots);
        Ok(slots)
    }

    /// The numbers of the counters that requests are placed on.
    pub(crate) fn counters<const N: usize>(&self, requests: [impl Into<Request>; N]) -> Result<[u8; N], Conflict> {
        Ok(self.open(requests)?.map(|slot| slot.counter.number()))
    }

    /// What a counter holds now.
    pub(crate) fn read(&self, slot: &Slot) -> u64 {
        self.driver.read(self.driver.counter(slot).handle)
    }
}

impl<B: Driver<Registers: Deref<Target: Device>>> Bench<B> {
    /// The processor executes so many instructions of the kernel.
    pub(crate) fn work(&self, instructions: u64) {
        (**self.driver.registers()).advance(&Work::instructions(Mode::Kernel, instructions));
    }
}
