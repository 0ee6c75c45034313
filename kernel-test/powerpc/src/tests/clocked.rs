//! What every unit can count here exactly: each counter, with an event that happens once an
//! instruction.

use pmu::driver::Description;
use pmu::{CounterId, CounterSet, Request};

use crate::guest::{World, world};
use crate::{family, identity};

/// Some of them, of each kind: PMC1, which has a condition of its own; one of the others; and the last.
pub fn kinds(unit: &Description) -> impl Iterator<Item = CounterId> {
    let others = unit.general.without(CounterId::ZERO.only());
    [unit.general.lowest(), others.lowest(), unit.general.highest()].into_iter().flatten()
}

/// What counts one event an instruction on this counter.
///
/// On QEMU's unit that is cycles, which are exact where instructions are not; PMC5 has no choice.
pub fn request(counter: CounterId) -> Request {
    let event = if counts_instructions(counter) { family::instructions(counter) } else { family::cycles(counter) };
    Request::new(event).pinned_to(counter)
}

/// Is that instructions?
pub fn counts_instructions(counter: CounterId) -> bool {
    const PMC5: u8 = 4;
    match world() {
        World::Native => counter.number() == PMC5,
        World::Host => family::counts_instructions(&identity::presented().processor, counter),
    }
}

/// The counters of which that is exact: on QEMU's unit those that count cycles.
pub fn exact_counters(unit: &Description) -> CounterSet {
    let is_exact = |&counter: &CounterId| world() == World::Host || !counts_instructions(counter);
    unit.general.into_iter().filter(is_exact).collect()
}
