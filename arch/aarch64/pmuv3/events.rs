//! The numbers of PMUv3's events, and the counters that count them.
//!
//! Sources: Arm Architecture Reference Manual for A-profile (DDI 0487 M.a), section D14.2, tables
//! "Allocation of the PMU event number space" and "Event index"; the same names and numbers as in
//! ARM-software/data, pmu (Apache-2.0).

use super::capabilities::Capabilities;
use super::registers::{CYCLE_COUNTER, INSTRUCTION_COUNTER, Select};
use crate::event::{CounterSet, Event, Generic, Refusal};

/// Level 1 data cache refills (L1D_CACHE_REFILL).
pub(super) const L1D_REFILLS: Event = Event::raw(0x0003);
/// Level 1 data cache accesses (L1D_CACHE).
pub(super) const L1D_REFERENCES: Event = Event::raw(0x0004);

/// The number of INST_RETIRED.
pub(super) const INST_RETIRED: u16 = 0x0008;
/// The number of CPU_CYCLES.
pub(super) const CPU_CYCLES: u16 = 0x0011;
/// The number of CHAIN, which makes an odd counter the upper half of the even one before it.
pub(super) const CHAIN: u16 = 0x001E;
/// Pairs of references to a level of cache and its misses: LL_CACHE_RD and LL_CACHE_MISS_RD, LL_CACHE and
/// LL_CACHE_MISS. If a processor has neither pair, the highest level of which it has both is used: L3D_CACHE
/// and L3D_CACHE_REFILL, L2D_CACHE and L2D_CACHE_REFILL.
const LAST_LEVELS: [(u16, u16); 4] = [(0x0036, 0x0037), (0x0032, 0x0033), (0x002B, 0x002A), (0x0016, 0x0017)];

/// What an event is on a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Its number on an event counter.
    pub(super) number: u16,
    /// The counters that can count it; none if the processor does not have the event.
    pub(super) counters: CounterSet,
}

impl Meaning {
    const UNKNOWN: Self = Self { number: 0, counters: CounterSet::EMPTY };

    /// Returns what a generic event is.
    pub(super) fn of_generic(capabilities: &Capabilities, generic: Generic) -> Self {
        match generic {
            Generic::Cycles => Self::beside(capabilities, CPU_CYCLES, CYCLE_COUNTER),
            Generic::Instructions => Self::beside(capabilities, INST_RETIRED, INSTRUCTION_COUNTER),
            _ => generic_number(capabilities, generic)
                .map_or(Self::UNKNOWN, |number| Self::of_number(capabilities, number)),
        }
    }

    /// Returns what a code of the processor's own is.
    pub(super) fn of_raw(capabilities: &Capabilities, code: u64, auxiliary: u64) -> Result<Self, Refusal> {
        let reserved = code & !capabilities.event_bits().bits();
        if reserved != 0 {
            Err(Refusal::ReservedBits(reserved))
        } else if auxiliary != 0 {
            Err(Refusal::Auxiliary(auxiliary))
        } else {
            Ok(Self::of_number(capabilities, Select::from_bits_truncate(code).event()))
        }
    }

    fn of_number(capabilities: &Capabilities, number: u16) -> Self {
        let events = CounterSet::first(capabilities.event_counters);
        Self { number, counters: if is_there(capabilities, number) { events } else { CounterSet::EMPTY } }
    }

    /// Returns an event that also has a counter of its own.
    fn beside(capabilities: &Capabilities, number: u16, own: u8) -> Self {
        let own = CounterSet::from_bits(1 << own).and(capabilities.counters());
        Self { number, counters: Self::of_number(capabilities, number).counters.or(own) }
    }
}

/// Returns the number of a generic event.
pub(super) fn native(capabilities: &Capabilities, generic: Generic) -> Result<Event, Refusal> {
    let Meaning { number, counters } = Meaning::of_generic(capabilities, generic);
    if counters.is_empty() { Err(Refusal::UnknownEvent) } else { Ok(Event::raw(number.into())) }
}

/// Returns true if the processor has this event. CHAIN is half of a pair, 9000H to C0BFH are reserved,
/// and numbers of 16 bits need a field of 16 bits.
fn is_there(capabilities: &Capabilities, number: u16) -> bool {
    match number {
        CHAIN | 0x9000..=0xC0BF => false,
        _ if u64::from(number) & !capabilities.event_bits().bits() != 0 => false,
        _ => !matches!(capabilities.announced.says(number), Some(false)),
    }
}

/// Returns the number of an event that has no counter of its own.
fn generic_number(capabilities: &Capabilities, generic: Generic) -> Option<u16> {
    let first = |numbers: &[u16]| numbers.iter().copied().find(|&number| is_there(capabilities, number));
    match generic {
        Generic::ReferenceCycles => first(&[0x4004]),
        Generic::Branches => first(&[0x0021]),
        Generic::BranchMisses => first(&[0x0022, 0x0010]),
        Generic::CacheReferences => last_level(capabilities).map(|(references, _)| references),
        Generic::CacheMisses => last_level(capabilities).map(|(_, misses)| misses),
        // The manual has an event for slots that were lost, but none for all slots.
        _ => None,
    }
}

fn last_level(capabilities: &Capabilities) -> Option<(u16, u16)> {
    LAST_LEVELS
        .into_iter()
        .find(|&(references, misses)| is_there(capabilities, references) && is_there(capabilities, misses))
}

/// Returns true if the upper half of a pair can be counted.
pub(super) const fn has_chain(capabilities: &Capabilities) -> bool {
    matches!(capabilities.announced.says(CHAIN), Some(true))
}

/// Returns a bit for each of the 15 common events that generic events and pairs are made of, if the processor announces
/// it.
pub(super) fn relied_on(capabilities: &Capabilities) -> u64 {
    let caches = LAST_LEVELS.into_iter().flat_map(|(references, misses)| [references, misses]);
    let others = [INST_RETIRED, 0x0010, CPU_CYCLES, CHAIN, 0x0021, 0x0022, 0x4004];
    let announced = |number| matches!(capabilities.announced.says(number), Some(true));
    others.into_iter().chain(caches).fold(0, |bits, number| bits << 1 | u64::from(announced(number)))
}
