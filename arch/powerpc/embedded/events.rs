//! The numbers of the embedded cores' events, and the counters that count them.
//!
//! Sources: "PowerPC e500 Core Family Reference Manual", section 7.7, "Event Selection", table
//! "Performance Monitor Event Selection"; "e300 Power Architecture Core Family Reference Manual",
//! chapter "Performance Monitor", the same table. Numbers were compared with OProfile's lists of
//! events for these cores, and the events with a threshold with torvalds/linux
//! arch/powerpc/perf/e500-pmu.c.

use super::capabilities::{Capabilities, Model};
use super::registers::Pmlca;
use crate::event::{CounterSet, Event, Generic, Refusal, Result};
use crate::family::Rate;

/// Processor cycles (Com:1).
pub(super) const CYCLES: Event = Event::raw(1);
/// Instructions completed (Com:2).
pub(super) const INSTRUCTIONS: Event = Event::raw(2);
/// Branches completed (Com:8).
pub(super) const BRANCHES: Event = Event::raw(8);
/// Loads completed (Com:9).
pub(super) const LOADS: Event = Event::raw(9);
/// Stores completed (Com:10).
pub(super) const STORES: Event = Event::raw(10);
/// Finished branches that were taken (Com:13).
pub(super) const TAKEN_BRANCHES: Event = Event::raw(13);
/// Mispredicted branches (Com:15).
pub(super) const BRANCH_MISSES: Event = Event::raw(15);

/// The counters that have a threshold.
const COMPARING: CounterSet = CounterSet::first(2);

/// What an event is on a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Its number.
    pub(super) number: u8,
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    /// PMLCbn.
    pub(super) threshold: u32,
}

impl Meaning {
    /// Returns what an event is.
    pub(super) fn of(capabilities: &Capabilities, event: Event) -> Result<Self, Refusal> {
        match event {
            Event::Generic(generic) => {
                let number = generic_number(capabilities.model, generic).ok_or(Refusal::UnknownEvent)?;
                Ok(Self { number, counters: capabilities.counters, threshold: 0 })
            }
            Event::Raw { code, auxiliary } => Self::of_raw(capabilities, code, auxiliary),
        }
    }

    fn of_raw(capabilities: &Capabilities, code: u64, auxiliary: u64) -> Result<Self, Refusal> {
        let event = (capabilities.local & Pmlca::EVENT).event();
        let reserved = code & !u64::from(event);
        if reserved != 0 {
            return Err(Refusal::ReservedBits(reserved));
        }
        let number = code as u8;
        let compares = has_threshold(capabilities.model, number);
        let had = if compares { capabilities.threshold.bits() } else { 0 };
        if auxiliary & !u64::from(had) != 0 {
            return Err(Refusal::Auxiliary(auxiliary & !u64::from(had)));
        }
        let counters = if compares { COMPARING.and(capabilities.counters) } else { capabilities.counters };
        if number == 0 {
            Err(Refusal::UnknownEvent)
        } else {
            Ok(Self { number, counters, threshold: auxiliary as u32 })
        }
    }
}

/// Returns true if the event counts what takes longer than a threshold, as Com:76 to Com:81 do on e500.
const fn has_threshold(model: Model, number: u8) -> bool {
    !matches!(model, Model::E300) && matches!(number, 76..=81)
}

/// These cores cannot count the events of a second-level cache. A cache miss is a reload of the first-level data
/// cache, as in Linux, which has none for the e300.
const fn generic_number(model: Model, generic: Generic) -> Option<u8> {
    match generic {
        Generic::Cycles => Some(1),
        Generic::Instructions => Some(2),
        Generic::Branches => Some(8),
        Generic::BranchMisses => Some(15),
        Generic::CacheMisses if !matches!(model, Model::E300) => Some(41),
        Generic::ReferenceCycles | Generic::CacheReferences | Generic::CacheMisses | Generic::Slots => None,
    }
}

/// Returns the event that a generic event is.
pub(super) fn native(model: Model, generic: Generic) -> Result<Event, Refusal> {
    generic_number(model, generic).map(|number| Event::raw(number.into())).ok_or(Refusal::UnknownEvent)
}

/// Returns how often the event happens.
pub(super) const fn rate(number: u8) -> Rate {
    match number {
        1 => Rate::Cycles,
        2 | 8..=10 | 12 | 13 | 15 => Rate::Instructions,
        _ => Rate::Others,
    }
}
