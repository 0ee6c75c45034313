//! Book3S 64's driver, in either world.

use harness::bench::{self, Accesses, Counting, Instructions, ThisCpu};
use pmu::Result;
use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::access::Hardware;
use pmu::arch::powerpc::book3s::{Book3s, Privilege};
use pmu::driver::Registers;

use super::native::Native;
use super::{Hosted, measured, registers};
use crate::guest::{World, world};

type Plain = Hardware<ThisCpu>;

measured!(Timed, Instructions, Book3s<Plain>, detect(registers()));
measured!(Counted, Accesses, Book3s<Counting<Plain>>, detect(Counting::new(registers())));

fn detect<R: Registers<Address = Spr, Index = Spr>>(unit: R) -> Result<Book3s<R>> {
    Book3s::detect(registers().version(), Privilege::of_machine_state(registers().machine_state()), unit)
}

/// What the guest runs.
pub fn run() {
    match world() {
        World::Host => bench::run::<Timed<Hosted>, Counted<Hosted>>(),
        World::Native => bench::run::<Timed<Native>, Counted<Native>>(),
    }
}
