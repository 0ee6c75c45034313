//! The codes of Book3S 64's events, and the generic events of each processor.
//!
//! Sources: the "POWER8", "POWER9" and "POWER10 Performance Monitor Unit User's Guide", their event
//! lists; IBM's event lists of POWER4 to POWER7 as libpfm4 and OProfile (events/ppc64) have them; the
//! 970's by Apple's "Shark User Guide", appendix "PPC 970 (G5) Performance Counter Event List". The generic events
//! before POWER7 are from torvalds/linux arch/powerpc/perf, power4-pmu.c (until 5.8) to power6-pmu.c and ppc970-pmu.c,
//! with the branches and caches of POWER6 from IBM's list.

use super::capabilities::Capabilities;
use super::code;
use super::demand::Demand;
use super::model::Model;
use crate::event::{CounterSet, Event, Generic, Refusal, Result};
use crate::family::Rate;

/// Branches issued (PM_BR_ISSUED), on PMC3, 4, 7 and 8; POWER4.
pub(super) const POWER4_ISSUED_BRANCHES: Event = Event::raw(0x0330);
/// Conditional branches whose direction was mispredicted (PM_BR_MPRED_CR), on PMC3, 4, 7 and 8; POWER4.
pub(super) const POWER4_BRANCH_MISSES: Event = Event::raw(0x0331);
/// Loads that accessed the first-level data cache (PM_LD_REF_L1), on PMC8; POWER4.
pub(super) const POWER4_L1_LOADS: Event = Event::raw(0x8C10);
/// Loads that missed the first-level data cache (PM_LD_MISS_L1), on PMC3; POWER4.
pub(super) const POWER4_L1_LOAD_MISSES: Event = Event::raw(0x3C10);
/// Branches issued (PM_BR_ISSUED), on PMC3, 4, 7 and 8; PowerPC 970.
pub(super) const PPC970_ISSUED_BRANCHES: Event = Event::raw(0x0431);
/// Groups of instructions with a mispredicted branch (PM_GRP_BR_MPRED), on PMC1, 2, 5 and 6; PowerPC 970.
pub(super) const PPC970_BRANCH_MISSES: Event = Event::raw(0x0327);
/// Loads that accessed the first-level data cache (PM_LD_REF_L1), on PMC8; PowerPC 970.
pub(super) const PPC970_L1_LOADS: Event = Event::raw(0x8810);
/// Loads that missed the first-level data cache (PM_LD_MISS_L1), on PMC3; PowerPC 970.
pub(super) const PPC970_L1_LOAD_MISSES: Event = Event::raw(0x3810);
/// Branches issued (PM_BR_ISSUED), on PMC3 and PMC4, of POWER5+ any counter; POWER5 and 5+.
pub(super) const POWER5_ISSUED_BRANCHES: Event = Event::raw(0x2_30E4);
/// Conditional branches whose direction was mispredicted (PM_BR_MPRED_CR), on the same counters; POWER5 and 5+.
pub(super) const POWER5_BRANCH_MISSES: Event = Event::raw(0x2_30E5);
/// Loads that accessed the first-level data cache (PM_LD_REF_L1), on PMC4; POWER5.
pub(super) const POWER5_L1_LOADS: Event = Event::raw(0x4C_1090);
/// Loads that accessed the first-level data cache (PM_LD_REF_L1), on PMC1; POWER5+.
pub(super) const POWER5_PLUS_L1_LOADS: Event = Event::raw(0x1C_10A8);
/// Loads that missed the first-level data cache (PM_LD_MISS_L1), on PMC3; POWER5 and 5+.
pub(super) const POWER5_L1_LOAD_MISSES: Event = Event::raw(0x3C_1088);
/// Branches finished (PM_BRU_FIN), on any of PMC1 to PMC4; POWER6.
pub(super) const POWER6_FINISHED_BRANCHES: Event = Event::raw(0x4_30E6);
/// Branches mispredicted (PM_BR_MPRED), on PMC4; POWER6.
pub(super) const POWER6_BRANCH_MISSES: Event = Event::raw(0x40_0052);
/// Demand loads of data that missed the second-level cache (PM_DATA_FROM_L2MISS), on PMC2; POWER6.
pub(super) const POWER6_LOADS_PAST_L2: Event = Event::raw(0x20_00FE);
/// Demand loads of data that missed the third-level cache (PM_DATA_FROM_L3MISS), on PMC3; POWER6.
pub(super) const POWER6_LOADS_PAST_L3: Event = Event::raw(0x30_00FE);

/// PMC1, 4, 6, 7 and 8 of POWER4, which count instructions by the same selector.
const POWER4_COUNTERS: CounterSet = CounterSet::from_bits(0b1110_1001);

/// Returns what an event takes on this processor. From POWER8 on PMC5 also counts instructions, and PMC6 cycles.
#[inline(always)]
pub(super) fn decode(model: Model, event: Event) -> Result<Demand, Refusal> {
    let (code, auxiliary) = match event {
        Event::Raw { code, auxiliary } => (code, auxiliary),
        Event::Generic(generic) => (generic_code(model, generic).ok_or(Refusal::UnknownEvent)?, 0),
    };
    let demand = code::decode(model, code, auxiliary)?;
    Ok(match event {
        Event::INSTRUCTIONS if model == Model::Power4 => demand.on(POWER4_COUNTERS),
        Event::INSTRUCTIONS if model.has_freezes() => demand.or_fixed(code::FIFTH),
        Event::CYCLES if model.has_freezes() => demand.or_fixed(code::SIXTH),
        _ => demand,
    })
}

/// Returns how often an event happens: instructions and cycles under any of their codes, for any counter.
pub(super) fn rate(capabilities: &Capabilities, event: Event) -> Rate {
    let code = match event {
        Event::Generic(Generic::Instructions) => return Rate::Instructions,
        Event::Generic(Generic::Cycles) => return Rate::Cycles,
        Event::Generic(_) => return Rate::Others,
        Event::Raw { code, .. } => code,
    };
    let is = |generic| {
        generic_code(capabilities.model, generic)
            .is_some_and(|its| of_any(capabilities, its) == of_any(capabilities, code))
    };
    match code {
        0x4_00FA | 0x5_00FA if capabilities.model >= Model::Power7 => Rate::Instructions,
        0x2_00F4 | 0x6_00F4 if capabilities.model >= Model::Power7 => Rate::Cycles,
        _ if capabilities.has_freezes() && code & !0xF_0000 == 0x02 => Rate::Instructions,
        _ if capabilities.has_freezes() && code & !0xF_0000 == 0x1E => Rate::Cycles,
        _ if is(Generic::Instructions) => Rate::Instructions,
        _ if is(Generic::Cycles) => Rate::Cycles,
        _ => Rate::Others,
    }
}

/// Removes the counter from a code. On Microwatt and POWER10 the same code is another event on another counter.
const fn of_any(capabilities: &Capabilities, code: u64) -> u64 {
    let number_at = match capabilities.model {
        Model::Power4 | Model::Ppc970 => 12,
        Model::Power5 | Model::Power5Plus | Model::Power6 => 20,
        Model::Power7 | Model::Power8 | Model::Power9 => 16,
        Model::Microwatt | Model::Power10 => return code,
    };
    code & !(0xF << number_at)
}

/// Returns the event that a generic event is.
pub(super) fn native(model: Model, generic: Generic) -> Result<Event, Refusal> {
    generic_code(model, generic).map(Event::raw).ok_or(Refusal::UnknownEvent)
}

/// Returns the code of a generic event.
const fn generic_code(model: Model, generic: Generic) -> Option<u64> {
    use Model::{Microwatt, Power4, Power5, Power5Plus, Power7, Power8, Power10, Ppc970};
    match (generic, model) {
        (Generic::Instructions, Power4) => Some(0x1001),
        (Generic::Instructions, Ppc970) => Some(0x01),
        (Generic::Instructions, Power5 | Power5Plus) => Some(0x09),
        (Generic::Instructions, Microwatt | Power10) => Some(0x1_00FE),
        (Generic::Instructions, _) => Some(0x02),
        (Generic::Cycles, Power4 | Ppc970) => Some(0x07),
        (Generic::Cycles, Power5 | Power5Plus) => Some(0x0F),
        (Generic::Cycles, Microwatt | Power10) => Some(0x1_00F0),
        (Generic::Cycles, _) => Some(0x1E),
        (Generic::ReferenceCycles | Generic::Slots, _) => None,
        _ if (model as u8) < Power7 as u8 => code_before_power7(model, generic),
        (Generic::Branches | Generic::CacheReferences, Microwatt) => None,
        (Generic::CacheMisses, Microwatt) => Some(0x4_00F0),
        (Generic::Branches, Power7) => Some(0x1_0068),
        (Generic::Branches, Power8) => Some(0x4_0060),
        (Generic::Branches, _) => Some(0x4_D05E),
        (Generic::BranchMisses, _) => Some(0x4_00F6),
        (Generic::CacheReferences, _) => Some(0x2_00FE),
        (Generic::CacheMisses, _) => Some(0x3_00FE),
    }
}

/// Returns the code of a generic event of branches or caches before POWER7.
const fn code_before_power7(model: Model, generic: Generic) -> Option<u64> {
    use Model::{Power4, Power5, Power5Plus, Ppc970};
    let event = match (generic, model) {
        (Generic::Branches, Power4) => POWER4_ISSUED_BRANCHES,
        (Generic::Branches, Ppc970) => PPC970_ISSUED_BRANCHES,
        (Generic::Branches, Power5 | Power5Plus) => POWER5_ISSUED_BRANCHES,
        (Generic::Branches, _) => POWER6_FINISHED_BRANCHES,
        (Generic::BranchMisses, Power4) => POWER4_BRANCH_MISSES,
        (Generic::BranchMisses, Ppc970) => PPC970_BRANCH_MISSES,
        (Generic::BranchMisses, Power5 | Power5Plus) => POWER5_BRANCH_MISSES,
        (Generic::BranchMisses, _) => POWER6_BRANCH_MISSES,
        (Generic::CacheReferences, Power4) => POWER4_L1_LOADS,
        (Generic::CacheReferences, Ppc970) => PPC970_L1_LOADS,
        (Generic::CacheReferences, Power5) => POWER5_L1_LOADS,
        (Generic::CacheReferences, Power5Plus) => POWER5_PLUS_L1_LOADS,
        (Generic::CacheReferences, _) => POWER6_LOADS_PAST_L2,
        (Generic::CacheMisses, Power4) => POWER4_L1_LOAD_MISSES,
        (Generic::CacheMisses, Ppc970) => PPC970_L1_LOAD_MISSES,
        (Generic::CacheMisses, Power5 | Power5Plus) => POWER5_L1_LOAD_MISSES,
        (Generic::CacheMisses, _) => POWER6_LOADS_PAST_L3,
        _ => return None,
    };
    if let Event::Raw { code, .. } = event { Some(code) } else { None }
}
