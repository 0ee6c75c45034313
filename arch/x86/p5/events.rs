//! The codes of the Pentium's events, and the counters that count them.
//!
//! Sources: SDM vol. 3, "Pentium Processor Performance Monitoring Events", table "Events That Can Be Counted with Pentium
//! Processor Performance-Monitoring Counters", which has event 37H of counter 0 under counter 1; checked against
//! illumos-gate, usr/src/uts/intel/pcbe/p123_pcbe.c, and perfctr, usr.lib/event_set_p5.c. Event 39H of counter 1 is
//! reserved in the table, and left out. The generic events are those of FreeBSD's libpmc (p5_aliases) where it has any:
//! cycles, instructions, misses of the data cache.

use super::capabilities::Capabilities;
use super::registers::Select;
use crate::event::{CounterSet, Event, Generic, Refusal, Result};

/// Cycles while not halted; with MMX, on counter 0.
pub(super) const CYCLES: Event = Event::raw(0x30);
/// Pipeline flushes due to branches that were mispredicted or not predicted; with MMX, on counter 0.
pub(super) const BRANCH_MISSES: Event = Event::raw(0x35);
/// Branches that were taken; with MMX, on counter 1.
pub(super) const TAKEN_BRANCHES: Event = Event::raw(0x1_0032);

/// The bit of a code that names an event of counter 1 which is another one on counter 0.
pub(super) const SECOND: u64 = 1 << 16;

/// What an event is on a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// What a counter selects for it.
    pub(super) select: Select,
    /// The counters that can count it.
    pub(super) counters: CounterSet,
}

impl Meaning {
    /// Returns what an event is.
    ///
    /// # Errors
    /// [`Refusal::UnknownEvent`] if no counter counts it; reserved bits, and an auxiliary value, which no event has.
    #[inline(always)]
    pub(super) fn of(capabilities: &Capabilities, event: Event) -> Result<Self, Refusal> {
        let code = match event {
            Event::Generic(generic) => generic_code(capabilities, generic)?,
            Event::Raw { code, auxiliary } => raw_code(code, auxiliary)?,
        };
        let select = Select::from_bits_truncate(code);
        let counters = counters(capabilities.has_mmx, select.event(), code & SECOND != 0);
        if counters.is_empty() { Err(Refusal::UnknownEvent) } else { Ok(Self { select, counters }) }
    }
}

/// Returns a code of the processor's own.
#[inline(always)]
fn raw_code(code: u64, auxiliary: u64) -> Result<u64, Refusal> {
    let reserved = code & !(Select::CODE.bits() | SECOND);
    if reserved != 0 {
        return Err(Refusal::ReservedBits(reserved));
    }
    if auxiliary == 0 { Ok(code) } else { Err(Refusal::Auxiliary(auxiliary)) }
}

/// Returns the code of a generic event.
///
/// # Errors
/// [`Refusal::UnknownEvent`] if the processor does not have it.
pub(super) fn generic_code(capabilities: &Capabilities, generic: Generic) -> Result<u64, Refusal> {
    match generic {
        Generic::Instructions => Ok(0x16),
        Generic::Cycles if capabilities.has_mmx => Ok(0x30),
        Generic::Branches => Ok(0x12),
        Generic::BranchMisses if capabilities.has_mmx => Ok(0x35),
        Generic::CacheReferences => Ok(0x28),
        Generic::CacheMisses => Ok(0x29),
        _ => Err(Refusal::UnknownEvent),
    }
}

/// Returns the counters that count an event; none if there is no such event. `is_second` chooses counter 1's of two.
const fn counters(has_mmx: bool, event: u8, is_second: bool) -> CounterSet {
    match (event, is_second) {
        (0x10 | 0x11 | 0x20 | 0x21, _) => CounterSet::EMPTY,
        (..0x2A, false) => CounterSet::first(2),
        (0x2A..=0x3B, false) if has_mmx => CounterSet::from_bits(0b01),
        (0x2A..=0x38 | 0x3A..=0x3B, true) if has_mmx => CounterSet::from_bits(0b10),
        _ => CounterSet::EMPTY,
    }
}
