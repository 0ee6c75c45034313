//! A request that the unit cannot do is named with what is wrong with it; nothing is programmed, and
//! nothing is held.

use pmu::arch::x86::LEAST;
use pmu::{CounterId, Error, Event, Flag, Modes, Pmu, Refusal, Request};

use super::amid::assert_all_free;
use crate::guest::truth;
use crate::guest::unit::{self, Driver, Unit};

static UNIT: Unit<0> = Unit::new();

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
const CYCLES: Request = Request::new(Event::CYCLES);
const NOWHERE: CounterId = CounterId::new(31).unwrap();
/// A flag or nothing, where some processors have further bits of the event's code on either side.
const NO_CODE: u64 = 1 << 36;

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let before = truth::fingerprint();
    let (longest, least) = (longest(&pmu), unit::least_in_kernel());
    for (request, reason) in [
        (INSTRUCTIONS.every(0), Refusal::PeriodZero),
        (INSTRUCTIONS.once_after(0), Refusal::PeriodZero),
        (INSTRUCTIONS.once_after(1), Refusal::PeriodTooShort { least: LEAST }),
        (INSTRUCTIONS.every(least - 1), Refusal::PeriodTooShort { least }),
        (INSTRUCTIONS.every(longest + 1), Refusal::PeriodTooLong { longest }),
        (INSTRUCTIONS.modes(Modes::NONE), Refusal::Modes),
        (INSTRUCTIONS.modes(Modes::HYPERVISOR), Refusal::Modes),
        (INSTRUCTIONS.pinned_to(NOWHERE), Refusal::NoSuchCounter(NOWHERE)),
        (Request::new(Event::raw(NO_CODE | 0xc0)), Refusal::ReservedBits(NO_CODE)),
        (Request::new(Event::raw_with(0xc0, 5)), Refusal::Auxiliary(5)),
    ] {
        assert_refused(&pmu, request, reason);
    }
    if let Some(fixed) = pmu.description().fixed.lowest() {
        assert_refused(&pmu, INSTRUCTIONS.flag(Flag::Edge).pinned_to(fixed), Refusal::CounterCannot(fixed));
    }
    assert_eq!(truth::fingerprint(), before, "something was programmed");
    assert_all_free(&pmu);
    assert!(pmu.open([INSTRUCTIONS.every(longest)]).is_ok(), "what is just possible");
}

fn assert_refused(pmu: &Pmu<'static, Driver>, request: Request, reason: Refusal) {
    let expected = Error::Refused { request: 1, event: request.event, reason };
    assert_eq!(pmu.open([CYCLES, request, CYCLES]).err(), Some(expected), "{request:?}");
}

/// The longest period there is for instructions.
fn longest(pmu: &Pmu<'static, Driver>) -> u64 {
    match pmu.open([INSTRUCTIONS.every(u64::MAX)]).err() {
        Some(Error::Refused { reason: Refusal::PeriodTooLong { longest }, .. }) => longest,
        other => panic!("a period beyond every width: {other:?}"),
    }
}
