//! The selectors of the classic processors' events, and the counters that count them.
//!
//! Sources: "PowerPC 604 RISC Microprocessor User's Manual", tables 9-2, "PMC1 Events - MMCR0\[19-25\]
//! Select Encodings", and 9-3; "PowerPC 604e RISC Microprocessor User's Manual", chapter 9; "IBM
//! PowerPC 750GX and 750GL RISC Microprocessor User's Manual", tables 11-2 to 11-5; "MPC7400 RISC
//! Microprocessor User's Manual", tables 11-8 to 11-11; "MPC7450 RISC Microprocessor Family Reference
//! Manual", chapter 11. Selectors were compared with the event lists of perfctr (604 to 750) and
//! OProfile (7450), and the 7450's with Apple's "Shark User Guide", appendix "PPC 7450 (G4+) Performance Counter Event
//! List", because its own manual was not available. The counters of the 745x that count the same, and its events with
//! a threshold, are from torvalds/linux arch/powerpc/perf/mpc7450-pmu.c.

use super::capabilities::{Capabilities, Model};
use super::registers::{Mmcr2, SelectField};
use crate::event::{CounterId, CounterSet, Event, Generic, Refusal, Result};
use crate::family::Rate;

/// Processor cycles; any counter.
pub(super) const CYCLES: Event = Event::raw(1);
/// Instructions completed, without folded branches; any counter, of the 745x PMC1 to PMC4.
pub(super) const INSTRUCTIONS: Event = Event::raw(2);

/// Creates the event that `counter`, 1 for PMC1, counts by this selector.
#[must_use]
pub(super) const fn on(counter: u8, select: u8) -> Event {
    Event::raw((counter as u64) << 8 | select as u64)
}

/// Branches completed; 604 and 604e.
pub(super) const P604_BRANCHES: Event = on(2, 0x08);
/// Mispredicted branches; 604 and 604e.
pub(super) const P604_BRANCH_MISSES: Event = on(1, 0x07);
/// Mispredicted branches; 750. IBM's manuals mark it reserved.
pub(super) const P750_BRANCH_MISSES: Event = on(4, 0x08);
/// Misses of the first-level data cache; 750.
pub(super) const P750_L1_DATA_MISSES: Event = on(3, 0x05);
/// Branches taken; 7400.
pub(super) const P7400_TAKEN_BRANCHES: Event = on(3, 0x05);
/// Branches not taken; 7400.
pub(super) const P7400_BRANCHES_NOT_TAKEN: Event = on(2, 0x05);
/// Mispredicted branches; 7400.
pub(super) const P7400_BRANCH_MISSES: Event = on(4, 0x05);
/// Loads completed; 7400.
pub(super) const P7400_LOADS: Event = on(2, 0x0B);
/// Branches completed; 745x.
pub(super) const P745X_BRANCHES: Event = on(1, 0x22);
/// Mispredicted branches; 745x.
pub(super) const P745X_BRANCH_MISSES: Event = on(4, 0x1C);
/// Misses of the first-level data cache; 745x.
pub(super) const P745X_L1_DATA_MISSES: Event = on(2, 0x17);
/// Stores completed; 745x.
pub(super) const P745X_STORES: Event = on(1, 0x14);

/// What an event is on a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Its selector.
    pub(super) select: u8,
    /// The counters that can count it by this selector.
    pub(super) counters: CounterSet,
    /// Its threshold, if it has one.
    pub(super) threshold: Option<Threshold>,
}

/// The threshold of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Threshold {
    /// THRESHOLD.
    pub(super) value: u8,
    /// THRESHMULT, if it affects the event.
    pub(super) scale: Option<Mmcr2>,
}

/// The bits of THRESHOLD in an auxiliary value.
const VALUE: u64 = 0x3F;
/// The bit of THRESHMULT in an auxiliary value.
const MULTIPLIED: u64 = 1 << 8;

impl Meaning {
    /// Returns what an event is.
    pub(super) fn of(capabilities: &Capabilities, event: Event) -> Result<Self, Refusal> {
        let (code, auxiliary) = match event {
            Event::Raw { code, auxiliary } => (code, auxiliary),
            Event::Generic(generic) => (generic_code(capabilities.model, generic).ok_or(Refusal::UnknownEvent)?, 0),
        };
        if code & !0x77F != 0 {
            return Err(Refusal::ReservedBits(code & !0x77F));
        }
        let (select, pmc) = (code as u8 & 0x7F, (code >> 8) as u8);
        let counters = if pmc == 0 { alike(capabilities, select) } else { one(capabilities, pmc, select) };
        if counters.is_empty() {
            return Err(Refusal::UnknownEvent);
        }
        Ok(Self { select, counters, threshold: threshold(capabilities.model, pmc, select, auxiliary)? })
    }
}

/// Returns the counter with this number, if its selector can hold `select`; 0 selects nothing.
fn one(capabilities: &Capabilities, pmc: u8, select: u8) -> CounterSet {
    let field = SelectField::ALL.get(usize::from(pmc - 1)).filter(|field| select != 0 && select <= field.largest());
    let counter = field.and_then(|_| CounterId::new(pmc - 1));
    counter.map_or(CounterSet::EMPTY, CounterId::only).and(capabilities.counters)
}

/// Returns the counters that count the same by this selector.
fn alike(capabilities: &Capabilities, select: u8) -> CounterSet {
    let set = match (capabilities.model, select) {
        (_, 0) => 0,
        (Model::P745x, 1) => 0b11_1111,
        (Model::P745x, 2..=7) => 0b00_1111,
        (Model::P745x, 8..=13) => 0b00_1011,
        (Model::P745x, 14..=22) => 0b00_0011,
        (Model::P745x, _) => 0,
        (_, 1..=4) => 0b00_1111,
        _ => 0,
    };
    CounterSet::from_bits(set).and(capabilities.counters)
}

/// Returns the event's threshold. An auxiliary value that it does not use is refused.
fn threshold(model: Model, pmc: u8, select: u8, auxiliary: u64) -> Result<Option<Threshold>, Refusal> {
    let (compares, scales) = comparison(model, pmc, select);
    let had = if compares { VALUE } else { 0 } | if scales { MULTIPLIED } else { 0 };
    if auxiliary & !had != 0 {
        return Err(Refusal::Auxiliary(auxiliary & !had));
    }
    let multiplied = if auxiliary & MULTIPLIED != 0 { Mmcr2::MULTIPLIER } else { Mmcr2::empty() };
    let scale = scales.then_some(multiplied);
    Ok(compares.then_some(Threshold { value: (auxiliary & VALUE) as u8, scale }))
}

/// Returns whether the event has a threshold, and whether the multiplier affects it.
const fn comparison(model: Model, pmc: u8, select: u8) -> (bool, bool) {
    let compares = (true, false);
    let scales = (true, true);
    match (model, pmc, select) {
        (Model::P604 | Model::P604e, 1, 0x09 | 0x0A | 0x17 | 0x18) | (Model::P750, 1, 0x0A) => compares,
        (Model::P7400, 1, 11 | 19 | 20) => scales,
        (Model::P745x, 1, 0x1E | 0x1F) | (Model::P745x, 2, 0x20) => compares,
        (Model::P745x, 3, 0x0C | 0x0D) | (Model::P745x, 4, 0x10) => compares,
        (Model::P745x, 1, 0x28 | 0x2B) | (Model::P745x, 3, 0x11) => scales,
        _ => (false, false),
    }
}

/// No counter counts all branches of the 750 and the 7400, or all misses of a last-level cache. The 745x counts those
/// of the first level instead, as in Linux.
const fn generic_code(model: Model, generic: Generic) -> Option<u64> {
    let event = match (generic, model) {
        (Generic::Cycles, _) => CYCLES,
        (Generic::Instructions, _) => INSTRUCTIONS,
        (Generic::Branches, Model::P604 | Model::P604e) => P604_BRANCHES,
        (Generic::Branches, Model::P745x) => P745X_BRANCHES,
        (Generic::BranchMisses, Model::P604 | Model::P604e) => P604_BRANCH_MISSES,
        (Generic::BranchMisses, Model::P750) => P750_BRANCH_MISSES,
        (Generic::BranchMisses, Model::P7400) => P7400_BRANCH_MISSES,
        (Generic::BranchMisses, Model::P745x) => P745X_BRANCH_MISSES,
        (Generic::CacheMisses, Model::P745x) => P745X_L1_DATA_MISSES,
        _ => return None,
    };
    if let Event::Raw { code, .. } = event { Some(code) } else { None }
}

/// Returns the event that a generic event is.
pub(super) fn native(model: Model, generic: Generic) -> Result<Event, Refusal> {
    generic_code(model, generic).map(Event::raw).ok_or(Refusal::UnknownEvent)
}

/// Returns how often the event happens.
pub(super) fn rate(capabilities: &Capabilities, meaning: &Meaning) -> Rate {
    match meaning.select {
        _ if is_of_instructions(capabilities, meaning) => Rate::Instructions,
        1 => Rate::Cycles,
        _ => Rate::Others,
    }
}

/// Returns true if the event happens at most once for each instruction.
fn is_of_instructions(capabilities: &Capabilities, meaning: &Meaning) -> bool {
    let is_branches = generic_code(capabilities.model, Generic::Branches)
        .and_then(|code| Meaning::of(capabilities, Event::raw(code)).ok())
        .is_some_and(|branches| branches == *meaning);
    meaning.select == 2 && CounterSet::first(4).covers(meaning.counters) || is_branches
}
