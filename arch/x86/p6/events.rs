//! The codes of the P6 family's events, and the counters that count them.
//!
//! Sources: SDM vol. 3, table "Events That Can Be Counted with the P6 Family Performance-Monitoring Counters". The
//! generic events are those of torvalds/linux arch/x86/events/intel/p6.c, `p6_perfmon_event_map`, and the counters those
//! of its `p6_event_constraints`, which the SDM's table, libpfm4 and OProfile have too.

use super::registers::Select;
use crate::event::{CounterSet, Event, Generic, Refusal, Result};

/// Branches retired that were taken (BR_TAKEN_RETIRED).
pub(super) const TAKEN_BRANCHES: Event = Event::raw(0x00C9);
/// Requests to the second-level cache, whatever the state of the line (L2_RQSTS with the states M, E, S and I).
pub(super) const L2_REQUESTS: Event = Event::raw(0x0F2E);
/// Floating-point operations retired (FLOPS); on counter 0 alone.
pub(super) const FLOPS: Event = Event::raw(0x00C1);

/// Returns the code of an event.
///
/// # Errors
/// [`Refusal::UnknownEvent`] for a generic event that the processor does not have; reserved bits, and an auxiliary value,
/// which no event has.
#[inline(always)]
pub(super) fn code(event: Event) -> Result<u64, Refusal> {
    match event {
        Event::Generic(generic) => generic_code(generic),
        Event::Raw { code, auxiliary } => raw_code(code, auxiliary),
    }
}

#[inline(always)]
const fn raw_code(code: u64, auxiliary: u64) -> Result<u64, Refusal> {
    let reserved = code & !Select::CODE.bits();
    if reserved != 0 {
        return Err(Refusal::ReservedBits(reserved));
    }
    if auxiliary == 0 { Ok(code) } else { Err(Refusal::Auxiliary(auxiliary)) }
}

/// Returns the code of a generic event.
///
/// # Errors
/// [`Refusal::UnknownEvent`] if the processor does not have it.
pub(super) const fn generic_code(generic: Generic) -> Result<u64, Refusal> {
    match generic {
        Generic::Instructions => Ok(0x00C0),
        Generic::Cycles => Ok(0x0079),
        Generic::Branches => Ok(0x00C4),
        Generic::BranchMisses => Ok(0x00C5),
        Generic::CacheReferences => Ok(0x0F2E),
        Generic::CacheMisses => Ok(0x012E),
        Generic::ReferenceCycles | Generic::Slots => Err(Refusal::UnknownEvent),
    }
}

/// Returns the counters that count the event with this code. Six events of the floating-point unit have one.
#[inline(always)]
pub(super) const fn counters(code: u64) -> CounterSet {
    match code & 0xFF {
        0x10 | 0x14 | 0xC1 => CounterSet::from_bits(0b01),
        0x11..=0x13 => CounterSet::from_bits(0b10),
        _ => CounterSet::from_bits(0b11),
    }
}
