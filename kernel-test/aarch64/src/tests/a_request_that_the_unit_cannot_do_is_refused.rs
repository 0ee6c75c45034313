//! A request that the unit cannot do is named with what is wrong with it; nothing is programmed, and
//! nothing is held.

use pmu::arch::aarch64::pmuv3::events;
use pmu::arch::aarch64::pmuv3::{LEAST_IN_KERNEL, LEAST_OF_OTHERS_IN_KERNEL};
use pmu::{CounterId, Error, Event, Flag, Modes, Pmu, Refusal, Request};

use super::amid::assert_all_free;
use super::clocked;
use crate::kernel::place::Place;
use crate::kernel::unit::{self, Driver, Unit};
use crate::kernel::{place, registers};

static UNIT: Unit<0> = unit::new();

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
const CYCLES: Request = Request::new(Event::CYCLES);
const NOWHERE: CounterId = CounterId::new(30).unwrap();
/// Beyond an event's number.
const NO_CODE: u64 = 1 << 16;
/// No processor counts CHAIN by itself.
const HALF_OF_A_PAIR: Event = Event::raw(0x1e);

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let before = registers::fingerprint();
    let short = |least| Refusal::PeriodTooShort { least };
    for (request, reason) in [
        (INSTRUCTIONS.every(0), Refusal::PeriodZero),
        (INSTRUCTIONS.once_after(0), Refusal::PeriodZero),
        (INSTRUCTIONS.every(LEAST_IN_KERNEL - 1), short(LEAST_IN_KERNEL)),
        (Request::new(events::CYCLES).every(LEAST_IN_KERNEL), short(LEAST_OF_OTHERS_IN_KERNEL)),
        (INSTRUCTIONS.modes(Modes::NONE), Refusal::Modes),
        (INSTRUCTIONS.pinned_to(NOWHERE), Refusal::NoSuchCounter(NOWHERE)),
        (INSTRUCTIONS.pinned_to(clocked::CYCLES), Refusal::CounterCannot(clocked::CYCLES)),
        (INSTRUCTIONS.flag(Flag::AnyThread), Refusal::Flag(Flag::AnyThread)),
        (Request::new(HALF_OF_A_PAIR), Refusal::UnknownEvent),
        (Request::new(Event::raw(NO_CODE | 8)), Refusal::ReservedBits(NO_CODE)),
        (Request::new(Event::raw_with(8, 5)), Refusal::Auxiliary(5)),
    ] {
        let expected = Error::Refused { request: 1, event: request.event, reason };
        assert_eq!(pmu.open([CYCLES, request, CYCLES]).err(), Some(expected), "{request:?}");
    }
    assert_eq!(registers::fingerprint(), before, "something was programmed");
    assert_all_free(&pmu);
    assert_a_period_is_as_long_as_its_counter(&pmu);
}

/// Of 32 bits, unless counters have 64 or two can be chained, which QEMU's cannot.
fn assert_a_period_is_as_long_as_its_counter(pmu: &Pmu<'static, Driver>) {
    let is_possible = pmu.open([INSTRUCTIONS.pinned_to(CounterId::ZERO).every(1 << 40)]).is_ok();
    let is_wide = pmu.description().general_width.bits() == 64;
    assert_eq!(is_possible, is_wide || place::is(Place::Model));
}
