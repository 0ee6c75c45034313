//! What every unit can count here: each counter, with an event that happens once an instruction.

use pmu::driver::Description;
use pmu::{CounterId, CounterSet, Event, Request};

use crate::guest::place;

/// The cycle counter.
pub const CYCLES: CounterId = CounterId::new(31).unwrap();

/// All counters: under the instruction clock an instruction is a cycle.
pub fn counters(unit: &Description) -> CounterSet {
    unit.general.or(unit.fixed)
}

/// Some of them, of each kind.
pub fn kinds(unit: &Description) -> impl Iterator<Item = CounterId> {
    let last = unit.fixed.highest().filter(|&last| Some(last) != unit.fixed.lowest());
    [unit.general.lowest(), unit.general.highest(), unit.fixed.lowest(), last].into_iter().flatten()
}

/// One of each kind.
pub fn pair(unit: &Description) -> impl Iterator<Item = CounterId> {
    [unit.general.highest(), unit.fixed.lowest()].into_iter().flatten()
}

/// Those of them whose overflow is noticed when it happens: on the model, all.
///
/// QEMU arms its timer for an event counter one event early and not again, so that at one event a nanosecond an
/// overflow is noticed at the next exception or access (target/arm/helper.c, pmevcntr_op_finish); the cycle counter's
/// is noticed at once.
pub fn punctual(unit: &Description) -> impl Iterator<Item = CounterId> {
    kinds(unit).filter(|&counter| counter == CYCLES || place::is_on_model())
}

/// What counts one event an instruction on this counter.
pub fn request(counter: CounterId) -> Request {
    let event = if counter == CYCLES { Event::CYCLES } else { Event::INSTRUCTIONS };
    Request::new(event).pinned_to(counter)
}
