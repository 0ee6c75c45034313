//! A guest at EL1 counts its own instructions on the machine's unit and none of its hypervisor's, and its overflows leave it
//! when they happen: mediated pass-through.

use core::cell::Cell;

use metal::world;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Device, Identity, Pmcr};
use pmu::driver::Registers;
use pmu::virt::Mediated;
use pmu::virt::{Device as _, Kinds, Trigger};

use super::guests::{self, ROUND};
use crate::guest::unit::{self, Driver, Unit};

static UNIT: Unit<0> = unit::new();

/// PMEVTYPERn_EL0: instructions, at EL0 and EL1.
const INSTRUCTIONS: u64 = 0x08;
/// The bits of the first event counter and of the cycle counter.
const FIRST: u64 = 1;
const CYCLES: u64 = 1 << 31;

/// The guest's interrupt line.
struct Line(Cell<u32>);

impl Trigger for &Line {
    fn interrupt(&self) {
        self.0.set(self.0.get() + 1);
    }
}

type Guest<'l> = Mediated<'static, Driver, Device<&'l Line>>;

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let registers = unit::hardware();
    let identity = Identity::of_host(|at| registers.read(at)).expect("it has a unit").for_guest();
    let line = Line(Cell::new(0));
    let mut guest = Mediated::new(pmu, Device::new(&identity, Kinds::NONE, &line)).expect("it is the host's own unit");
    let write = |guest: &mut Guest, at, value| unit_of(guest).try_write(at, value).expect("it has the register");
    let select = SystemRegister::select(0).expect("it has a counter");
    write(&mut guest, select, INSTRUCTIONS);
    write(&mut guest, SystemRegister::ENABLE_SET, FIRST);
    write(&mut guest, SystemRegister::CONTROL, (Pmcr::ENABLE | Pmcr::LONG_CYCLES).bits());

    let [short, long] = [10, 1000].map(|rounds| {
        let before = counted(&mut guest);
        assert_eq!(run(&mut guest, rounds), world::SYNCHRONOUS);
        counted(&mut guest) - before
    });
    assert!((20..24).contains(&short), "{short}");
    assert_eq!(long - short, ROUND * 990);

    write(&mut guest, SystemRegister::CYCLES, 500_u64.wrapping_neg());
    write(&mut guest, SystemRegister::INTERRUPT_SET, CYCLES);
    write(&mut guest, SystemRegister::ENABLE_SET, CYCLES);
    assert_eq!((run(&mut guest, 200), line.0.get()), (world::SYNCHRONOUS, 0));
    assert_eq!((run(&mut guest, 200), line.0.get()), (world::INTERRUPT, 1));
    assert_eq!(unit_of(&mut guest).try_read(SystemRegister::OVERFLOW_SET), Ok(CYCLES));
    let past = unit_of(&mut guest).try_read(SystemRegister::CYCLES).expect("it has the register");
    assert!(past < 20, "{past}");
}

/// The guest's unit, with its counts.
fn unit_of<'g, 'l>(guest: &'g mut Guest<'l>) -> &'g Device<&'l Line> {
    guest.guest().expect("this is the unit's CPU")
}

fn counted(guest: &mut Guest) -> u64 {
    unit_of(guest).try_read(SystemRegister::counter(0).expect("it has one")).expect("it has the register")
}

/// Runs the guest for so many rounds. Returns by which vector it was left.
fn run(guest: &mut Guest, rounds: u64) -> u64 {
    let left = |guest: &mut Guest, vector| {
        if vector == world::INTERRUPT {
            guest.interrupted().expect("this is the unit's CPU");
        }
    };
    let enter = |guest: &mut Guest| guest.enter().expect("the unit is the host's");
    guests::run(guest, rounds, enter, |guest| guest.exit().expect("this is the unit's CPU"), left)
}
