//! A guest at EL1 whose unit is fed from sessions of its hypervisor's on the machine's unit counts its own instructions and
//! cycles, and of the hypervisor's those alone that are between the sessions' start and stop and the guest.

use metal::world;
use pmu::CounterSet;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Device, Identity, Pmcr};
use pmu::driver::Registers;
use pmu::virt::Feeder;
use pmu::virt::{Device as _, Kinds, Unconnected};

use super::guests::{self, ROUND};
use crate::guest::unit::{self, Driver, Unit};

static UNIT: Unit<0> = unit::new();

/// PMEVTYPERn_EL0: instructions, at EL0 and EL1.
const INSTRUCTIONS: u64 = 0x08;
/// The bits of the first event counter and of the cycle counter.
const FIRST: u64 = 1;
const CYCLES: u64 = 1 << 31;

type Fed = Feeder<'static, Driver, 2>;

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let registers = unit::hardware();
    let identity = Identity::of_host(|at| registers.read(at)).expect("it has a unit").for_guest();
    let guest = Device::new(&identity, Kinds::NONE, Unconnected);
    let write = |at, value| guest.try_write(at, value).expect("it has the register");
    write(SystemRegister::select(0).expect("it has a counter"), INSTRUCTIONS);
    write(SystemRegister::ENABLE_SET, FIRST | CYCLES);
    write(SystemRegister::CONTROL, (Pmcr::ENABLE | Pmcr::LONG_CYCLES).bits());

    let mut feeder = Feeder::new(pmu);
    let [short, long] = [10, 1000].map(|rounds| {
        let before = counted(&guest);
        assert_eq!(run(&mut feeder, &guest, rounds), world::SYNCHRONOUS);
        let after = counted(&guest);
        [after[0] - before[0], after[1] - before[1]]
    });
    assert_eq!([long[0] - short[0], long[1] - short[1]], [ROUND * 990; 2]);
    assert!(
        short.iter().all(|&short| short < 500),
        "{short:?}: of the hypervisor's only what is between start and entry"
    );
}

fn counted(guest: &Device<Unconnected>) -> [u64; 2] {
    let counters = [SystemRegister::counter(0).expect("it has one"), SystemRegister::CYCLES];
    counters.map(|at| guest.try_read(at).expect("it has the register"))
}

fn run(feeder: &mut Fed, guest: &Device<Unconnected>, rounds: u64) -> u64 {
    let enter = |feeder: &mut Fed| {
        let left = feeder.enter(guest, |selection| selection.request());
        assert_eq!(left, Ok(CounterSet::EMPTY));
    };
    let exit = |feeder: &mut Fed| feeder.exit(guest).expect("this is the unit's CPU");
    guests::run(feeder, rounds, enter, exit, |_, _| ())
}
