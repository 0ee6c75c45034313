//! The numbers of the events, and the counters that count them.
//!
//! Sources: "MIPS R10000 Microprocessor User's Manual", section 14.20; IRIX' perfex(1) and r10k_counters(5); PAPI's
//! irix-mips.c; OProfile's events/mips; Cavium's cvmx-core.h (BSD); torvalds/linux arch/mips/kernel/perf_event_mipsxx.c
//! (the generic events).

use super::capabilities::{Capabilities, Model};
use super::registers::PerfCtl;
use crate::event::{CounterSet, Event, Generic, Refusal, Result};
use crate::family::Rate;

/// The event is what its number means on the odd counters.
pub(super) const ODD: u64 = 0x400;
const EVEN_COUNTERS: CounterSet = CounterSet::from_bits(0b0101);
const ODD_COUNTERS: CounterSet = CounterSet::from_bits(0b1010);

/// What an event is on a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Its number on the even counters.
    pub(super) even: u16,
    /// Its number on the odd counters.
    pub(super) odd: u16,
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    /// The modes and the selection of threads that the auxiliary value adds to the control.
    pub(super) added: PerfCtl,
    /// How often it happens.
    pub(super) rate: Rate,
}

impl Meaning {
    /// Instructions of R10000 and 5K.
    const INSTRUCTIONS: Self = Self { even: 0xF, odd: 1, ..Self::both(0, Rate::Instructions) };

    /// Returns what an event is.
    pub(super) fn of(capabilities: &Capabilities, event: Event) -> Result<Self, Refusal> {
        let model = capabilities.model;
        let meaning = match event {
            Event::Generic(generic) => Self::of_generic(model, generic).ok_or(Refusal::UnknownEvent)?,
            Event::Raw { code, auxiliary } => {
                let added = PerfCtl::from_bits_retain(auxiliary as u32);
                let unknown = auxiliary & !u64::from(addable(model).bits());
                if unknown != 0 {
                    return Err(Refusal::Auxiliary(unknown));
                }
                Self { added, ..Self::of_code(model, code)? }
            }
        };
        match meaning.counters.and(capabilities.counters) {
            CounterSet::EMPTY => Err(Refusal::UnknownEvent),
            counters => Ok(Self { counters, ..meaning }),
        }
    }

    /// Cycles have one number on every counter, and instructions another one on each: R10000's two codes for them too. What
    /// else is generic has one code.
    fn of_generic(model: Model, generic: Generic) -> Option<Self> {
        match (generic, model) {
            (Generic::Cycles, _) => Some(Self::both(cycles(model), Rate::Cycles)),
            (Generic::Instructions, Model::R10000V2 | Model::R10000) => Some(Self::INSTRUCTIONS),
            _ => generic_code(model, generic).and_then(|code| Self::of_code(model, code).ok()),
        }
    }

    fn of_code(model: Model, code: u64) -> Result<Self, Refusal> {
        let largest = u64::from(model.largest_event());
        let (number, counters) = match model {
            Model::M5K if code == 0xF => return Ok(Self::INSTRUCTIONS),
            Model::R10000V2 | Model::R10000 if code > 0x1F => return Err(Refusal::ReservedBits(code & !0x1F)),
            Model::R10000V2 | Model::R10000 => (code & 0xF, if code > 0xF { ODD_COUNTERS } else { EVEN_COUNTERS }),
            _ if code & !(largest | odd_bit(model)) != 0 => {
                return Err(Refusal::ReservedBits(code & !(largest | odd_bit(model))));
            }
            _ if code & ODD != 0 => (code & largest, ODD_COUNTERS),
            _ if is_on_all(model, code) => (code, ODD_COUNTERS.or(EVEN_COUNTERS)),
            _ => (code, EVEN_COUNTERS),
        };
        Ok(Self { counters, ..Self::both(number as u16, rate(model, code)) })
    }

    const fn both(number: u16, rate: Rate) -> Self {
        Self { even: number, odd: number, counters: EVEN_COUNTERS.or(ODD_COUNTERS), added: PerfCtl::empty(), rate }
    }
}

/// Returns the bits that an auxiliary value can add to a control.
const fn addable(model: Model) -> PerfCtl {
    let modes = PerfCtl::EXCEPTION.union(PerfCtl::SUPERVISOR);
    if model.selects_threads() { modes.union(PerfCtl::SELECTION) } else { modes }
}

/// 20K has one counter, and those of R12000 and Octeon have the same events.
const fn odd_bit(model: Model) -> u64 {
    if matches!(model, Model::R12000 | Model::M20K | Model::Octeon | Model::OcteonII) { 0 } else { ODD }
}

/// Returns true if every counter counts the same by this number.
const fn is_on_all(model: Model, number: u64) -> bool {
    match model {
        Model::R12000 | Model::M20K | Model::Octeon | Model::OcteonII => true,
        Model::R10000V2 | Model::R10000 => false,
        Model::M5K => matches!(number, 0 | 2..=4),
        Model::M24K | Model::M34K | Model::M1004K => matches!(number, 0 | 1 | 0xB),
        Model::M74K => matches!(number, 0 | 1),
    }
}

/// Octeon's 0 is no event.
const fn cycles(model: Model) -> u16 {
    if matches!(model, Model::Octeon | Model::OcteonII) { 1 } else { 0 }
}

/// A cache miss is one of the second-level cache; on R10000 and R12000 of data. R12000 has no event for all branches, and
/// Octeon's are those that are no jumps.
const fn generic_code(model: Model, generic: Generic) -> Option<u64> {
    match (generic, model) {
        (Generic::Cycles, _) => Some(cycles(model) as u64),
        (Generic::Instructions, Model::Octeon | Model::OcteonII) => Some(3),
        (Generic::Branches, Model::Octeon | Model::OcteonII) => Some(8),
        (Generic::BranchMisses, Model::Octeon | Model::OcteonII) => Some(9),
        (Generic::Instructions, Model::M24K | Model::M34K | Model::M74K | Model::M1004K) => Some(1),
        (Generic::Instructions, _) => Some(0xF),
        (Generic::Branches, Model::R10000V2 | Model::R10000 | Model::M5K | Model::M20K) => Some(6),
        (Generic::BranchMisses | Generic::CacheMisses, Model::R10000V2 | Model::R10000 | Model::R12000) => {
            Some(if matches!(generic, Generic::BranchMisses) { 24 } else { 26 })
        }
        (Generic::BranchMisses, Model::M5K) => Some(ODD | 8),
        (Generic::BranchMisses, Model::M20K) => Some(5),
        (Generic::Branches, Model::M24K | Model::M34K | Model::M1004K) => Some(2),
        (Generic::BranchMisses, Model::M24K | Model::M34K | Model::M1004K) => Some(ODD | 2),
        (Generic::Branches, Model::M74K) => Some(0x27),
        (Generic::BranchMisses, Model::M74K) => Some(ODD | 0x27),
        (Generic::CacheReferences, Model::M24K | Model::M34K | Model::M1004K) => Some(ODD | 0x15),
        (Generic::CacheMisses, Model::M24K | Model::M34K | Model::M1004K) => Some(0x16),
        (Generic::CacheReferences, Model::M74K) => Some(ODD | 0x1C),
        (Generic::CacheMisses, Model::M74K) => Some(0x1D),
        _ => None,
    }
}

/// Returns the event that a generic event is.
pub(super) fn native(model: Model, generic: Generic) -> Result<Event, Refusal> {
    generic_code(model, generic).map(Event::raw).ok_or(Refusal::UnknownEvent)
}

/// Returns how often the event happens. An integer multiply or divide graduates as two instructions on R10000, which a
/// handler that has none does not notice.
fn rate(model: Model, code: u64) -> Rate {
    let is = |generic| generic_code(model, generic) == Some(code);
    let is_counter_1s = matches!(model, Model::R10000V2 | Model::R10000) && code == 17;
    match code {
        _ if is(Generic::Cycles) => Rate::Cycles,
        16 if matches!(model, Model::R10000V2 | Model::R10000) => Rate::Cycles,
        _ if is_counter_1s || model == Model::M5K && code == ODD | 1 => Rate::Instructions,
        _ if is(Generic::Instructions) || is(Generic::Branches) || is(Generic::BranchMisses) => Rate::Instructions,
        _ => Rate::Others,
    }
}
