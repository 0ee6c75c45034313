//! The numbers of the events. Every counter has all of them.
//!
//! Source: torvalds/linux arch/loongarch/kernel/perf_event.c. Cycles, instructions and branches are also what its selftest of
//! KVM (tools/testing/selftests/kvm/loongarch) expects of 0 to 2, and what its arch/mips/kernel/perf_event_mipsxx.c has for
//! GS464V, the core of Loongson's last MIPS processor. The others have no second source. References to a cache and its
//! misses are those of the first level's data, reads and writes together, as in Linux.

use crate::event::{Event, Generic, Refusal, Result};
use crate::family::Rate;

const CYCLES: u16 = 0;
const INSTRUCTIONS: u16 = 1;
const BRANCHES: u16 = 2;
const BRANCH_MISSES: u16 = 3;
const CACHE_REFERENCES: u16 = 8;
const CACHE_MISSES: u16 = 9;
/// The bits of an event's number.
const NUMBER: u64 = 0x3FF;

/// Returns the number of an event.
pub(super) fn number(event: Event) -> Result<u16, Refusal> {
    match event {
        Event::Generic(generic) => of_generic(generic).ok_or(Refusal::UnknownEvent),
        Event::Raw { auxiliary: auxiliary @ 1.., .. } => Err(Refusal::Auxiliary(auxiliary)),
        Event::Raw { code, .. } if code & !NUMBER != 0 => Err(Refusal::ReservedBits(code & !NUMBER)),
        Event::Raw { code, .. } => Ok(code as u16),
    }
}

const fn of_generic(generic: Generic) -> Option<u16> {
    match generic {
        Generic::Cycles => Some(CYCLES),
        Generic::Instructions => Some(INSTRUCTIONS),
        Generic::Branches => Some(BRANCHES),
        Generic::BranchMisses => Some(BRANCH_MISSES),
        Generic::CacheReferences => Some(CACHE_REFERENCES),
        Generic::CacheMisses => Some(CACHE_MISSES),
        _ => None,
    }
}

/// Returns the event that a generic event is.
pub(super) fn native(generic: Generic) -> Result<Event, Refusal> {
    of_generic(generic).map(|number| Event::raw(number.into())).ok_or(Refusal::UnknownEvent)
}

/// Returns how often the event happens.
pub(super) const fn rate(number: u16) -> Rate {
    match number {
        CYCLES => Rate::Cycles,
        INSTRUCTIONS | BRANCHES | BRANCH_MISSES => Rate::Instructions,
        _ => Rate::Others,
    }
}
