//! The Book3S 64 driver without a unit: detection, refusals, conflicts,
//! the registers for the public tables' codes, and the sampled instruction.

mod encoding;
mod groups;
mod ibms_tests;
mod interrupted;
use crate::support::memory;
mod placing;
mod quirks;
mod running;
mod sampled;
mod tables;

use pmu::arch::powerpc::book3s::{Book3s, Capabilities, Model, Privilege};
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::driver::{Control, Counters, Image, Plan, Slot, Steps};
use pmu::request::{Conflict, Refusal};
use pmu::{CounterId, CounterSet, Request};

use memory::Memory;

/// A processor of this model.
pub(crate) const fn pvr(model: Model) -> Pvr {
    Pvr::from_bits(match model {
        Model::Power4 => 0x0035_0304,
        Model::Ppc970 => 0x003C_0300,
        Model::Power5 => 0x003A_0301,
        Model::Power5Plus => 0x003B_0301,
        Model::Power6 => 0x003E_0300,
        Model::Power7 => 0x003F_0201,
        Model::Power8 => 0x004D_0200,
        Model::Power9 => 0x004E_1202,
        Model::Power10 => 0x0080_0200,
        _ => panic!("it has no version here yet"),
    })
}

/// The register with this number.
pub(crate) fn spr(number: u16) -> Spr {
    Spr::from_number(number).expect("it is a unit's")
}

/// A driver over registers that only store, and what it has placed.
pub(crate) struct Bench {
    pub(crate) driver: Book3s<&'static Memory<Spr>>,
    pub(crate) image: <Book3s<&'static Memory<Spr>> as Counters>::Image,
}

impl Bench {
    pub(crate) fn new(model: Model) -> Self {
        Self::of(pvr(model), Privilege::Supervisor)
    }

    pub(crate) fn of(pvr: Pvr, privilege: Privilege) -> Self {
        let registers: &'static Memory<Spr> = Box::leak(Box::new(Memory::new()));
        let capabilities = Capabilities::discover(pvr, privilege).expect("it has a unit");
        Self { driver: Book3s::new(registers, capabilities), image: Image::BLANK }
    }

    pub(crate) fn refusal(&self, request: impl Into<Request>) -> Option<Refusal> {
        self.driver.encode(&request.into()).err()
    }

    /// Places requests beside what is there, and programs them.
    pub(crate) fn open<const N: usize>(&self, requests: [impl Into<Request>; N]) -> Result<[Slot; N], Conflict> {
        let demands = requests.map(|request| self.driver.encode(&request.into()).expect("the request is possible"));
        let mut slots = [Slot::EMPTY; N];
        let program = self.driver.place(&self.image.occupancy(), &demands, Steps::OPEN, &mut slots)?;
        self.driver.load(&self.image, &program, &slots);
        Ok(slots)
    }

    /// The numbers of the counters that requests are placed on.
    pub(crate) fn counters<const N: usize>(&self, requests: [impl Into<Request>; N]) -> Result<[u8; N], Conflict> {
        Ok(self.open(requests)?.map(|slot| slot.counter.number()))
    }

    pub(crate) fn run(&self, exactly: CounterSet) {
        self.driver.run(&self.image, exactly);
    }

    /// Runs everything that is programmed.
    pub(crate) fn run_all(&self) {
        self.run(self.image.counters());
    }

    /// The counters in `among` that have overflowed, with how far they are past it.
    pub(crate) fn overflowed(&self, among: CounterSet) -> Vec<(u8, i64)> {
        let mut all = Vec::new();
        self.driver.overflowed(&self.image, among, |counter, past| all.push((counter.number(), past)));
        all
    }

    /// What a register holds.
    pub(crate) fn register(&self, number: u16) -> u64 {
        pmu::driver::Registers::read(*self.driver.registers(), spr(number))
    }

    pub(crate) fn set(&self, number: u16, value: u64) {
        pmu::driver::Registers::write(*self.driver.registers(), spr(number), value);
    }
}

pub(crate) fn counter(number: u8) -> CounterId {
    CounterId::new(number).expect("numbers go to 63")
}

/// Which requests conflict, and over what.
pub(crate) fn over(conflict: Result<impl Sized, Conflict>) -> (u64, String) {
    let conflict = conflict.err().expect("they cannot be together");
    (conflict.requests.bits(), conflict.to_string())
}
