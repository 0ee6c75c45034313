//! Which codes Book3S 64's events have, and what the generic events are on each processor.
//!
//! How a code is laid out differs from processor to processor: on POWER8 and later the selector is
//! in bits 0 to 7, the unit in 12 to 15 and the counter in 16 to 19, 0 for any; on POWER7 the same;
//! before, each has its own.
//!
//! A cache reference is a demand load of data that missed the second-level cache, and so referred to
//! the third; a cache miss is one that missed that too. Processors before POWER7 have no event for
//! a branch that was retired, nor one that was mispredicted and retired, and nothing generic for
//! caches. POWER7 counts branches as they finish.
//!
//! Sources: the "POWER8", "POWER9" and "POWER10 Performance Monitor Unit User's Guide", their event
//! lists; IBM's event lists of POWER4 to POWER7 as libpfm4 and OProfile (events/ppc64) have them; the
//! "IBM PowerPC 970FX RISC Microprocessor User's Manual", "Performance Monitor Events".

use super::code::{self, Ways};
use super::facts::Facts;
use super::generation::Generation;
use crate::counter::CounterSet;
use crate::error::{Refusal, Result};
use crate::event::{Event, Generic};

/// Instructions completed (PM_INST_CMPL), on any of PMC1 to PMC4; POWER6 to POWER9.
pub const INSTRUCTIONS: Event = Event::raw(0x02);
/// Cycles (PM_CYC), on any of PMC1 to PMC4; POWER6 to POWER9.
pub const CYCLES: Event = Event::raw(0x1E);
/// Instructions completed while CTRL\[RUN\] is set (PM_RUN_INST_CMPL), on PMC5; POWER7 on PMC4.
pub const RUN_INSTRUCTIONS: Event = Event::raw(0x5_00FA);
/// Cycles while CTRL\[RUN\] is set (PM_RUN_CYC), on PMC6; POWER7 on PMC2.
pub const RUN_CYCLES: Event = Event::raw(0x6_00F4);
/// Instructions completed (PM_INST_CMPL), on PMC1; POWER10.
pub const POWER10_INSTRUCTIONS: Event = Event::raw(0x1_00FE);
/// Cycles (PM_CYC), on PMC1; POWER10.
pub const POWER10_CYCLES: Event = Event::raw(0x1_00F0);
/// Branches finished (PM_BRU_FIN); POWER7 and POWER8.
pub const FINISHED_BRANCHES: Event = Event::raw(0x1_0068);
/// Branches completed (PM_BR_CMPL); POWER8.
pub const POWER8_BRANCHES: Event = Event::raw(0x4_0060);
/// Branches completed (PM_BR_CMPL); POWER9 and POWER10.
pub const BRANCHES: Event = Event::raw(0x4_D05E);
/// Branches completed that were mispredicted (PM_BR_MPRED_CMPL); POWER7 to POWER10.
pub const BRANCH_MISSES: Event = Event::raw(0x4_00F6);
/// Demand loads of data that missed the second-level cache (PM_DATA_FROM_L2MISS); POWER7 to POWER10.
pub const LOADS_PAST_L2: Event = Event::raw(0x2_00FE);
/// Demand loads of data that missed the third-level cache (PM_DATA_FROM_L3MISS); POWER7 to POWER10.
pub const LOADS_PAST_L3: Event = Event::raw(0x3_00FE);
/// Instructions completed by the PowerPC 970, on any counter.
pub const PPC970_INSTRUCTIONS: Event = Event::raw(0x01);
/// Cycles of POWER4 and the PowerPC 970, on any counter.
pub const PPC970_CYCLES: Event = Event::raw(0x07);
/// Instructions completed by POWER4, on PMC1; PMC4, 6, 7 and 8 count them too.
pub const POWER4_INSTRUCTIONS: Event = Event::raw(0x1001);
/// Instructions completed by POWER5, on PMC1; PMC2 counts them too.
pub const POWER5_INSTRUCTIONS: Event = Event::raw(0x10_0009);
/// Cycles of POWER5, on any counter.
pub const POWER5_CYCLES: Event = Event::raw(0x0F);

/// The ways to count an event on this processor; `ways` has none yet.
#[inline(always)]
pub(super) fn find_ways(facts: &Facts, event: Event, ways: &mut Ways) -> Result<(), Refusal> {
    match event {
        Event::Raw { code, auxiliary } => code::find_ways(facts, code, auxiliary, ways),
        Event::Generic(generic) => of_generic(facts, generic, ways),
    }
}

/// What a plain event selects on PMC1 to PMC4, and the counters that count it: from POWER8 on those, and
/// for one that is generic the one of the last two that counts nothing else.
#[inline(always)]
pub(super) fn plain(facts: &Facts, event: Event) -> Option<(u8, CounterSet)> {
    let (code, last) = match event {
        Event::Generic(generic @ (Generic::Instructions | Generic::Cycles)) => {
            let last = if generic == Generic::Instructions { 1 << 4 } else { 1 << 5 };
            (generic_code(facts.generation, generic)?, CounterSet::from_bits(last))
        }
        Event::Raw { code, auxiliary: 0 } => (code, CounterSet::EMPTY),
        _ => return None,
    };
    let is_plain = facts.has_freezes() && code::is_plain(code);
    is_plain.then_some((code as u8, code::FIRST_FOUR.or(last)))
}

/// On POWER4 PMC1, 4, 6, 7 and 8 count instructions by the same selector.
const POWER4_COUNTERS: CounterSet = CounterSet::from_bits(0b1110_1001);

/// From POWER8 on PMC5 counts instructions and PMC6 cycles besides.
fn of_generic(facts: &Facts, generic: Generic, ways: &mut Ways) -> Result<(), Refusal> {
    let code = generic_code(facts.generation, generic).ok_or(Refusal::UnknownEvent)?;
    let last = match generic {
        Generic::Instructions if facts.has_freezes() => Some(code::always(4)),
        Generic::Cycles if facts.has_freezes() => Some(code::always(5)),
        _ => None,
    };
    match last {
        Some(last) if code::is_plain(code) => *ways = [last, code::plain(code)],
        Some(last) => {
            code::find_ways(facts, code, 0, ways)?;
            *ways = [last, ways[0]];
        }
        None => code::find_ways(facts, code, 0, ways)?,
    }
    if generic == Generic::Instructions && facts.generation == Generation::Power4 {
        ways[0] = ways[0].on(POWER4_COUNTERS);
    }
    Ok(())
}

/// The event that a generic one is.
pub(super) fn native(generation: Generation, generic: Generic) -> Result<Event, Refusal> {
    generic_code(generation, generic).map(Event::raw).ok_or(Refusal::UnknownEvent)
}

/// The code of a generic event.
const fn generic_code(generation: Generation, generic: Generic) -> Option<u64> {
    use Generation::{Power4, Power5, Power5Plus, Power7, Power8, Power10, Ppc970};
    match (generic, generation) {
        (Generic::Instructions, Power4) => Some(0x1001),
        (Generic::Instructions, Ppc970) => Some(0x01),
        (Generic::Instructions, Power5 | Power5Plus) => Some(0x09),
        (Generic::Instructions, Power10) => Some(0x1_00FE),
        (Generic::Instructions, _) => Some(0x02),
        (Generic::Cycles, Power4 | Ppc970) => Some(0x07),
        (Generic::Cycles, Power5 | Power5Plus) => Some(0x0F),
        (Generic::Cycles, Power10) => Some(0x1_00F0),
        (Generic::Cycles, _) => Some(0x1E),
        (Generic::ReferenceCycles | Generic::Slots, _) => None,
        _ if (generation as u8) < Power7 as u8 => None,
        (Generic::Branches, Power7) => Some(0x1_0068),
        (Generic::Branches, Power8) => Some(0x4_0060),
        (Generic::Branches, _) => Some(0x4_D05E),
        (Generic::BranchMisses, _) => Some(0x4_00F6),
        (Generic::CacheReferences, _) => Some(0x2_00FE),
        (Generic::CacheMisses, _) => Some(0x3_00FE),
    }
}
