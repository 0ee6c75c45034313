//! At EL2 a session counts the hypervisor, or guests' kernels, or both: what runs here is counted where EL2 is, and not
//! where it is not.

use pmu::request::Flag;
use pmu::{Event, Modes, Pmu, Request};

use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Driver, Unit};

static UNIT: Unit<0> = unit::new();

const LENGTH: u64 = 1000;
const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let here = count(&pmu, INSTRUCTIONS);
    assert!((LENGTH..LENGTH + 200).contains(&here), "{here}");
    for request in [INSTRUCTIONS.modes(Modes::HYPERVISOR), INSTRUCTIONS.modes(Modes::KERNEL).flag(Flag::HostOnly)] {
        assert_eq!(count(&pmu, request), here, "{request:?}");
    }
    for request in [INSTRUCTIONS.modes(Modes::USER), INSTRUCTIONS.modes(Modes::KERNEL).flag(Flag::GuestOnly)] {
        assert_eq!(count(&pmu, request), 0, "{request:?}");
    }
}

fn count(pmu: &Pmu<Driver>, request: Request) -> u64 {
    let mut session = pmu.open([request]).expect("the unit tells them apart");
    session.start().expect("it is stopped");
    exactly(LENGTH);
    session.stop().expect("it runs");
    session.read().expect("this is its CPU")[0]
}
