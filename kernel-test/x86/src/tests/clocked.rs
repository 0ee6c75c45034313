//! What every identity's unit can count here: each counter, with an event that the clock feeds.

use pmu::arch::x86::LEAST;
use pmu::arch::x86::intel::events::TIME_STAMP_CYCLES;
use pmu::{CounterId, CounterSet, Description, Event, Request};

use crate::identity::{self, Processor};

/// The fixed counters of instructions, cycles and reference cycles; the others count what QEMU's
/// clock does not tell.
const FIXED: CounterSet = CounterSet::from_bits(0b111 << 32);

/// The Pentium 4's counters of what retires, in the independent bank (MSR_IQ_COUNTER4 and 5): the others have no event of
/// instructions.
const RETIREMENT: CounterSet = CounterSet::from_bits(0b11 << 16);

/// The counters that the host feeds with an event an instruction.
pub fn counters(unit: &Description) -> CounterSet {
    general(unit).or(unit.fixed.and(FIXED))
}

/// Those of them that have no event of their own.
fn general(unit: &Description) -> CounterSet {
    match identity::presented().processor {
        Processor::Netburst(_) => unit.general.and(RETIREMENT),
        _ => unit.general,
    }
}

/// Some of them, of each kind.
pub fn kinds(unit: &Description) -> impl Iterator<Item = CounterId> {
    let general = general(unit);
    [general.lowest(), general.highest(), unit.fixed.lowest()].into_iter().flatten()
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
