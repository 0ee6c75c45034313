//! The Book3S 64 driver without a unit: detection, refusals, conflicts,
//! the registers for the public tables' codes, and the sampled instruction.

mod encoding;
mod groups;
mod ibms_tests;
mod interrupted;
mod placing;
mod quirks;
mod running;
mod sampled;
mod tables;

use pmu::CounterSet;
use pmu::arch::powerpc::book3s::{Book3s, Capabilities, Model, Privilege};
use pmu::arch::powerpc::{Pvr, Spr};
use pmu::driver::{Counters, Image, Plan};

use crate::support::bare;
use crate::support::memory::Memory;
pub(crate) use bare::{counter, over};

/// A processor of this model.
pub(crate) const fn pvr(model: Model) -> Pvr {
    Pvr::from_bits(match model {
        Model::Power4 => 0x0035_0304,
        Model::Ppc970 => 0x003C_0300,
        Model::Power5 => 0x003A_0301,
        Model::Power5Plus => 0x003B_0201,
        Model::Power6 => 0x003E_0300,
        Model::Power7 => 0x003F_0201,
        Model::Power8 => 0x004D_0200,
        Model::Power9 => 0x004E_1202,
        Model::Microwatt => 0x0063_0000,
        Model::Power10 => 0x0080_0200,
        _ => panic!("it has no version here yet"),
    })
}

/// The register with this number.
pub(crate) fn spr(number: u16) -> Spr {
    Spr::from_number(number).expect("it is a unit's")
}

/// A driver over registers that only store, and what it has placed.
pub(crate) type Bench = bare::Bench<Book3s<&'static Memory<Spr>>>;

impl Bench {
    pub(crate) fn new(model: Model) -> Self {
        Self::of_processor(pvr(model), Privilege::Supervisor)
    }

    pub(crate) fn of_processor(pvr: Pvr, privilege: Privilege) -> Self {
        let capabilities = Capabilities::discover(pvr, privilege).expect("it has a unit");
        Self::of(Book3s::new(Memory::leaked(), capabilities))
    }

    pub(crate) fn run(&self, exactly: CounterSet) {
        self.driver.run(&self.image, exactly);
    }

    /// Runs everything that is programmed.
    pub(crate) fn run_all(&self) {
        self.run(self.image.counters());
    }

    /// What a register holds.
    pub(crate) fn register(&self, number: u16) -> u64 {
        pmu::driver::Registers::read(*self.driver.registers(), spr(number))
    }

    pub(crate) fn set(&self, number: u16, value: u64) {
        pmu::driver::Registers::write(*self.driver.registers(), spr(number), value);
    }
}
