//! Which codes Intel's events have, and which fixed counters count them.
//!
//! An event code is laid out as in IA32_PERFEVTSELx: the event in bits 0 to 7, its unit mask in
//! bits 8 to 15 and, from version 6 on, in bits 40 to 47. The event number 0 is for events that
//! only a fixed counter has: unit mask n is fixed counter n - 1, as in Intel's public event
//! lists.
//!
//! An architectural event counts on every counter that is offered for it. Of the processor's own
//! events, which are asked for by their codes ([`Event::raw`]), many count on some counters only,
//! and on the others nothing or something else. Which ones they are differs from model to model,
//! the driver does not know them, and it places a code on any general counter: who asks for one
//! pins it ([`Request::pinned_to`](crate::Request::pinned_to)) to a counter that the model's catalogue
//! ([`Facts::catalogue`]) or its event list has for it.
//!
//! Sources: SDM vol. 3, "Performance Monitoring", tables "Architectural Performance Events" and
//! "Association of Fixed-Function Performance Counters with Architectural Performance Events".

use super::facts::{Architectural, Facts};
use super::model::Microarchitecture;
use super::registers::Select;
use crate::arch::x86::repertoire;
use crate::counter::{CounterId, CounterSet};
use crate::error::{Refusal, Result};
use crate::event::{Event, Generic};

/// Core cycles while not halted (UnHalted Core Cycles).
pub const CYCLES: Event = Event::raw(0x003C);
/// Instructions retired (Instruction Retired).
pub const INSTRUCTIONS: Event = Event::raw(0x00C0);
/// Cycles of a reference clock while not halted (UnHalted Reference Cycles), on a general counter:
/// on many models a slower clock than the one that the fixed counter counts.
pub const REFERENCE_CYCLES: Event = Event::raw(0x013C);
/// References to the last-level cache (LLC Reference).
pub const CACHE_REFERENCES: Event = Event::raw(0x4F2E);
/// Misses in the last-level cache (LLC Misses).
pub const CACHE_MISSES: Event = Event::raw(0x412E);
/// Branch instructions retired (Branch Instruction Retired).
pub const BRANCHES: Event = Event::raw(0x00C4);
/// Mispredicted branches retired (Branch Misses Retired).
pub const BRANCH_MISSES: Event = Event::raw(0x00C5);
/// Issue slots (Topdown Slots).
pub const SLOTS: Event = Event::raw(0x01A4);
/// Issue slots lost to the back end (Topdown Backend Bound).
pub const BACKEND_BOUND: Event = Event::raw(0x02A4);
/// Issue slots lost to bad speculation (Topdown Bad Speculation).
pub const BAD_SPECULATION: Event = Event::raw(0x0073);
/// Issue slots lost to the front end (Topdown Frontend Bound).
pub const FRONTEND_BOUND: Event = Event::raw(0x019C);
/// Issue slots that were used by what retired (Topdown Retiring).
pub const RETIRING: Event = Event::raw(0x02C2);
/// Branch records inserted (LBR Inserts).
pub const BRANCH_RECORDS: Event = Event::raw(0x01E4);
/// Cycles at the rate of the time-stamp counter while not halted; on fixed counter 2 only.
pub const TIME_STAMP_CYCLES: Event = Event::raw(0x0300);

/// Mispredicted branches executed (BR_MISP_EXEC.ANY): Nehalem counts them where it cannot count
/// those that retired, and hides the architectural event (erratum AAJ80).
pub const NEHALEM_BRANCH_MISSES: Event = Event::raw(0x7F89);

/// What an event is on this processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Its code on a general counter, with the mark of the register beside the counter that it
    /// needs.
    pub(super) word: u64,
    /// The counters that count it; none if the processor has no such event.
    pub(super) counters: CounterSet,
    /// What it needs in the register beside the counter.
    pub(super) auxiliary: u64,
}

impl repertoire::Meaning for Meaning {
    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.counters
    }
}

impl Meaning {
    fn of_code(facts: &Facts, code: u64) -> Self {
        let fixed = fixed_counter(facts, code).map_or(CounterSet::EMPTY, CounterId::only).and(facts.fixed);
        let general = if code & 0xFF == 0 { CounterSet::EMPTY } else { facts.general };
        Self { word: code, counters: general.or(fixed), auxiliary: 0 }
    }

    /// No event.
    pub(super) const UNKNOWN: Self = Self { word: 0, counters: CounterSet::EMPTY, auxiliary: 0 };

    /// What a generic event is.
    #[inline(never)]
    pub(super) fn of_generic(facts: &Facts, generic: Generic) -> Self {
        generic_code(facts, generic).map_or(Self::UNKNOWN, |code| Self::of_code(facts, code))
    }

    /// What a code of the processor's own is.
    pub(super) fn of_raw(facts: &Facts, code: u64, auxiliary: u64) -> Result<Self, Refusal> {
        let reserved = code & !(Select::CODE & facts.selectable).bits();
        if reserved != 0 {
            return Err(Refusal::ReservedBits(reserved));
        }
        let known = facts.auxiliaries.iter().find(|known| known.code == code);
        let beyond = auxiliary & !known.map_or(0, |known| known.mask);
        if beyond != 0 {
            return Err(Refusal::Auxiliary(beyond));
        }
        let word = known.map_or(code, |known| code | known.beside.mark());
        Ok(Self { word, auxiliary, ..Self::of_code(facts, code) })
    }
}

/// The fixed counter for an event code, whether or not this processor has that counter.
fn fixed_counter(facts: &Facts, code: u64) -> Option<CounterId> {
    let announced = |event: Architectural, number: u8| facts.events.contains(event).then_some(number);
    let number = match code {
        0x00C0 => announced(Architectural::INSTRUCTIONS, 0),
        0x003C => announced(Architectural::CYCLES, 1),
        0x01A4 => announced(Architectural::SLOTS, 3),
        0x0073 => announced(Architectural::BAD_SPECULATION, 4),
        0x019C => announced(Architectural::FRONTEND_BOUND, 5),
        0x02C2 => announced(Architectural::RETIRING, 6),
        0x0100 | 0x0200 | 0x0300 | 0x0400 | 0x0500 | 0x0600 | 0x0700 => Some((code >> 8) as u8 - 1),
        _ => None,
    };
    CounterId::new(32 + number?)
}

/// Does the event with this code count issue slots?
pub(super) const fn counts_slots(code: u64) -> bool {
    matches!(code, 0x01A4 | 0x02A4 | 0x0073 | 0x019C | 0x02C2 | 0x0400 | 0x0500 | 0x0600 | 0x0700)
}

fn generic_code(facts: &Facts, generic: Generic) -> Option<u64> {
    let (event, code) = match generic {
        Generic::Cycles => (Architectural::CYCLES, 0x003C),
        Generic::Instructions => (Architectural::INSTRUCTIONS, 0x00C0),
        Generic::ReferenceCycles => return reference_code(facts),
        Generic::CacheReferences => (Architectural::CACHE_REFERENCES, 0x4F2E),
        Generic::CacheMisses => (Architectural::CACHE_MISSES, 0x412E),
        Generic::Branches => (Architectural::BRANCHES, 0x00C4),
        Generic::BranchMisses => return branch_miss_code(facts),
        Generic::Slots => (Architectural::SLOTS, 0x01A4),
    };
    announced(facts, event, code)
}

fn announced(facts: &Facts, event: Architectural, code: u64) -> Option<u64> {
    facts.events.contains(event).then_some(code)
}

/// The fixed counter and the general event tick at different rates, so that one cannot serve for
/// the other: the fixed one where there is one.
fn reference_code(facts: &Facts) -> Option<u64> {
    let on_fixed = CounterId::new(34).is_some_and(|counter| facts.fixed.contains(counter));
    if on_fixed { Some(0x0300) } else { announced(facts, Architectural::REFERENCE_CYCLES, 0x013C) }
}

fn branch_miss_code(facts: &Facts) -> Option<u64> {
    let nehalem = facts.microarchitecture() == Some(Microarchitecture::Nehalem);
    announced(facts, Architectural::BRANCH_MISSES, 0x00C5).or(nehalem.then_some(0x7F89))
}
