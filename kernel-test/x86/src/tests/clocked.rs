//! What every identity's unit can count here: each counter, with an event that the clock feeds.

use pmu::arch::x86::LEAST;
use pmu::arch::x86::intel::events::TIME_STAMP_CYCLES;
use pmu::{CounterId, CounterSet, Description, Event, Request};

use crate::identity;

/// The fixed counters of instructions, cycles and reference cycles; the others count what QEMU's
/// clock does not tell.
const FIXED: CounterSet = CounterSet::from_bits(0b111 << 32);

/// The counters that the host feeds.
pub fn counters(unit: &Description) -> CounterSet {
    unit.general.or(unit.fixed.and(FIXED))
}

/// Some of them, of each kind.
pub fn kinds(unit: &Description) -> impl Iterator<Item = CounterId> {
    [unit.general.lowest(), unit.general.highest(), unit.fixed.lowest()].into_iter().flatten()
}

/// The fewest events that a counter of the presented processor can wait for: on Nehalem more than on the others
/// (torvalds/linux, arch/x86/events/intel/core.c, `nhm_limit_period`).
pub fn least() -> u64 {
    if identity::presented().name == "nehalem" { 32 } else { LEAST }
}

/// What counts one event an instruction on this counter.
pub fn request(counter: CounterId) -> Request {
    let event = match counter.number() {
        33 => Event::CYCLES,
        34 => TIME_STAMP_CYCLES,
        _ => Event::INSTRUCTIONS,
    };
    Request::new(event).pinned_to(counter)
}

/// Does a counter that reads this tell of anybody? A preset for the longest wait, 2^31 events or half a width, does not.
pub const fn tells(value: u64) -> bool {
    value != 0 && value.trailing_zeros() < 31
}
