//! The codes of the events, and the counters that count them.
//!
//! Sources: OpenSPARC T1's design (tlu_pib.v, "assigning of events", and its defines) and OpenSPARC T2's
//! (pmu_pct_ctl.v, "where each SL field decoding is"), compared with illumos-gate's tables and with libpfm4
//! (lib/events/sparc_niagara1_events.h, sparc_niagara2_events.h; MIT). libpfm4 gives Stores the bit of Loads, and
//! cpu_store and mmu_load bits 6 and 7; the design and illumos-gate agree on bits 4, 4 and 5. T3's table is illumos-gate's
//! alone; Linux drives its unit as T2's.

use super::capabilities::{Capabilities, Model};
use crate::arch::sparc::Half;
use crate::arch::sparc::program::COUNTERS;
use crate::event::{CounterSet, Event, Generic, Refusal, Result};
use crate::family::Rate;

/// Instructions completed; T1, pic1.
pub(super) const T1_INSTRUCTIONS: Event = Event::raw(0x100);
/// Floating-point instructions completed; T1, pic0.
pub(super) const T1_FLOATING_POINT: Event = Event::raw(1);
/// Misses of the first-level data cache; T1, pic0.
pub(super) const T1_DATA_CACHE_MISSES: Event = Event::raw(3);
/// Data loads that missed the second-level cache; T1, pic0.
pub(super) const T1_L2_LOAD_MISSES: Event = Event::raw(7);
/// Instructions completed; from T2 on.
pub(super) const INSTRUCTIONS: Event = Event::raw(0x2FD);
/// Branches completed; from T2 on.
pub(super) const BRANCHES: Event = Event::raw(0x201);
/// Branches that were taken; from T2 on.
pub(super) const TAKEN_BRANCHES: Event = Event::raw(0x202);
/// Loads completed; from T2 on.
pub(super) const LOADS: Event = Event::raw(0x208);
/// Stores completed; from T2 on.
pub(super) const STORES: Event = Event::raw(0x210);
/// Misses of the first-level data cache; from T2 on.
pub(super) const DATA_CACHE_MISSES: Event = Event::raw(0x302);
/// Data loads that missed the second-level cache; from T2 on. Their overflow does not trap (erratum 108).
pub(super) const L2_LOAD_MISSES: Event = Event::raw(0x320);

/// What an event is on a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Its selector.
    pub(super) select: u16,
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    pub(super) rate: Rate,
    /// Whether its overflow traps.
    pub(super) traps: bool,
}

impl Meaning {
    /// Returns what an event is.
    pub(super) fn of(capabilities: &Capabilities, event: Event) -> Result<Self, Refusal> {
        let (code, auxiliary) = match event {
            Event::Raw { code, auxiliary } => (code, auxiliary),
            Event::Generic(generic) => (generic_code(capabilities.model, generic).ok_or(Refusal::UnknownEvent)?, 0),
        };
        match (auxiliary, capabilities.is_t1()) {
            (0, true) => on_t1(code),
            (0, false) => on_t2(capabilities.model, code),
            _ => Err(Refusal::Auxiliary(auxiliary)),
        }
    }
}

/// T1's instructions are on pic1, and the other events on pic0.
fn on_t1(code: u64) -> Result<Meaning, Refusal> {
    const INSTRUCTIONS: u64 = 0x100;
    let at = |half: Half, select: u64| Meaning {
        select: select as u16,
        counters: half.counter().only(),
        rate: if select == INSTRUCTIONS { Rate::Instructions } else { Rate::Others },
        traps: true,
    };
    match code {
        0..=7 => Ok(at(Half::Pic0, code)),
        INSTRUCTIONS => Ok(at(Half::Pic1, code)),
        _ if code & !0x107 != 0 => Err(Refusal::ReservedBits(code & !0x107)),
        _ => Err(Refusal::UnknownEvent),
    }
}

fn on_t2(model: Model, code: u64) -> Result<Meaning, Refusal> {
    if code & !0xFFF != 0 {
        return Err(Refusal::ReservedBits(code & !0xFFF));
    }
    let (group, mask) = (code >> 8, code & 0xFF);
    let had = masks(model, group).ok_or(Refusal::UnknownEvent)?;
    if mask & !had != 0 {
        return Err(Refusal::ReservedBits(mask & !had));
    }
    if mask == 0 && had != 0 {
        return Err(Refusal::Impossible("its mask has no bit, so it counts nothing: name an event of the group"));
    }
    let rate = if group == 2 { Rate::Instructions } else { Rate::Others };
    let traps = !(group == 3 && mask & L2_LOAD_MISS != 0);
    Ok(Meaning { select: code as u16, counters: COUNTERS, rate, traps })
}

/// The bit of data loads that missed the second level, in the mask of the caches' group.
const L2_LOAD_MISS: u64 = 0x20;

/// Returns the bits that a mask of a group can have.
const fn masks(model: Model, group: u64) -> Option<u64> {
    match (group, model) {
        (0x0, _) => Some(0),
        (0x2, _) => Some(0xFF),
        (0x3, _) => Some(0x33),
        (0x4, _) => Some(0x3C),
        (0x5, _) => Some(0x3F),
        (0x6 | 0x7, Model::T3) => Some(0xFF),
        (0x6 | 0x7, _) => Some(0x3F),
        (0xB, _) => Some(0x0C),
        _ => None,
    }
}

const fn generic_code(model: Model, generic: Generic) -> Option<u64> {
    let event = match (generic, model) {
        (Generic::Instructions, Model::T1) => T1_INSTRUCTIONS,
        (Generic::Instructions, _) => INSTRUCTIONS,
        (Generic::Branches, Model::T2 | Model::T2Plus | Model::T3) => BRANCHES,
        _ => return None,
    };
    if let Event::Raw { code, .. } = event { Some(code) } else { None }
}

/// Returns the event that a generic event is.
pub(super) fn native(model: Model, generic: Generic) -> Result<Event, Refusal> {
    generic_code(model, generic).map(Event::raw).ok_or(Refusal::UnknownEvent)
}
