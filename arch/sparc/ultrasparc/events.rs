//! The codes of the events, and the counters that count them.
//!
//! Sources: illumos-gate, usr/src/uts/sun4u/pcbe/us234_pcbe.c, compared with libpfm4 (lib/events/sparc_ultra*_events.h;
//! MIT): all names and selectors agree but those that `catalogue` lists.

use super::capabilities::{Capabilities, Model};
use crate::arch::sparc::Half;
use crate::arch::sparc::program::COUNTERS;
use crate::event::{CounterSet, Event, Generic, Refusal, Result};
use crate::family::Rate;

/// Cycles (Cycle_cnt); both counters.
pub(super) const CYCLES: Event = Event::raw(0);
/// Instructions completed (Instr_cnt); both counters.
pub(super) const INSTRUCTIONS: Event = Event::raw(1);
/// References to the external cache (EC_ref); I to IV, pic0.
pub(super) const EXTERNAL_REFERENCES: Event = on(Half::Pic0, 0x0C);
/// Misses in the external cache (EC_misses); III to IV, pic1.
pub(super) const EXTERNAL_MISSES: Event = on(Half::Pic1, 0x0C);
/// Misses in the third-level cache (L3_miss); IV+, pic1.
pub(super) const L3_MISSES: Event = on(Half::Pic1, 0x31);

/// Creates the event that `half` counts by this selector.
#[must_use]
pub(super) const fn on(half: Half, select: u8) -> Event {
    Event::raw(code_on(half, select))
}

/// Returns the code of [`on`].
pub(super) const fn code_on(half: Half, select: u8) -> u64 {
    1 << (8 + half.number()) | select as u64
}

/// What an event is on a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Its selector on pic0 and on pic1.
    pub(super) selects: [u8; 2],
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    pub(super) rate: Rate,
}

/// All bits of a code.
const CODE: u64 = 0x3F_033F;

impl Meaning {
    /// Returns what an event is, if it is requested on `asked`.
    pub(super) fn of(capabilities: &Capabilities, event: Event, asked: CounterSet) -> Result<Self, Refusal> {
        let (code, auxiliary) = match event {
            Event::Raw { code, auxiliary } => (code, auxiliary),
            Event::Generic(generic) => (generic_code(capabilities.model, generic).ok_or(Refusal::UnknownEvent)?, 0),
        };
        if auxiliary != 0 {
            return Err(Refusal::Auxiliary(auxiliary));
        }
        let upper = if code & 0x300 == 0x300 { 0 } else { 0x3F_0000 };
        let beyond = u64::from(!capabilities.largest_select() & 0x3F);
        let reserved = code & (!CODE | upper | beyond | beyond << 16);
        if reserved != 0 {
            return Err(Refusal::ReservedBits(reserved));
        }
        let lower = (code & 0x3F) as u8;
        let selects = if upper == 0 { [lower, (code >> 16) as u8] } else { [lower; 2] };
        let counters = counters(code, asked)?;
        let is_instructions = counters.into_iter().all(|counter| selects[usize::from(counter.number() & 1)] == 1);
        let rate = if is_instructions { Rate::Instructions } else { Rate::Others };
        Ok(Self { selects, counters, rate })
    }
}

/// Returns the counters that a code names, or those that a selector without a counter is for.
fn counters(code: u64, asked: CounterSet) -> Result<CounterSet, Refusal> {
    let named = CounterSet::from_bits(code >> 8 & 0b11);
    if !named.is_empty() {
        return Ok(named);
    }
    let asked = asked.and(COUNTERS);
    match code {
        0 | 1 => Ok(COUNTERS),
        _ if asked.has_several() => Err(Refusal::Impossible(
            "pic0 and pic1 count different events by this selector: pin the request to one, or add 100H or 200H",
        )),
        _ => Ok(asked),
    }
}

const fn generic_code(model: Model, generic: Generic) -> Option<u64> {
    let event = match (generic, model) {
        (Generic::Cycles, _) => CYCLES,
        (Generic::Instructions, _) => INSTRUCTIONS,
        (Generic::CacheReferences, Model::Ultra4Plus) | (Generic::CacheMisses, Model::Ultra12) => return None,
        (Generic::CacheReferences, _) => EXTERNAL_REFERENCES,
        (Generic::CacheMisses, Model::Ultra4Plus) => L3_MISSES,
        (Generic::CacheMisses, _) => EXTERNAL_MISSES,
        _ => return None,
    };
    if let Event::Raw { code, .. } = event { Some(code) } else { None }
}

/// Returns the event that a generic event is.
pub(super) fn native(model: Model, generic: Generic) -> Result<Event, Refusal> {
    generic_code(model, generic).map(Event::raw).ok_or(Refusal::UnknownEvent)
}
