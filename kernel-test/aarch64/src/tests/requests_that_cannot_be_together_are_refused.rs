//! Requests that are possible one by one and not together are named, with what there is too little
//! of; nothing is programmed, and nothing is held.

use pmu::{Conflict, Contention, CounterId, Error, Event, Pmu, Request};

use super::amid::assert_all_free;
use super::clocked;
use crate::kernel::registers;
use crate::kernel::unit::{self, Driver, Unit};

static UNIT: Unit<0> = unit::new();

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
const CYCLES: Request = Request::new(Event::CYCLES);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let before = registers::fingerprint();
    let able = clocked::counters(&pmu.description()).without(clocked::CYCLES.only());
    let too_few = conflict(&pmu, [INSTRUCTIONS; 33]);
    assert_eq!(too_few.over, Contention::Counters(able));
    let pinned = INSTRUCTIONS.pinned_to(CounterId::ZERO);
    let twice = conflict(&pmu, [CYCLES, pinned, pinned]);
    assert_eq!(twice.over, Contention::Counters(CounterId::ZERO.only()));
    assert_eq!(registers::fingerprint(), before, "something was programmed");
    assert_all_free(&pmu);
}

fn conflict<const N: usize>(pmu: &Pmu<'static, Driver>, requests: [Request; N]) -> Conflict {
    match pmu.open(requests).err() {
        Some(Error::Conflict(conflict)) => conflict,
        other => panic!("these cannot be together: {other:?}"),
    }
}
