//! The codes of AMD's events, and the counters that count them.
//!
//! Sources: for K7 the "AMD Athlon Processor x86 Code Optimization Guide" (22007), table
//! "Performance-Monitoring Counters"; for K8 the BKDG 26094, "Performance Monitor Events"; for
//! family 10h the BKDG 31116, for family 15h the BKDG 42301, for family 16h the BKDG 48751, each in
//! its section "Performance Counter Events"; for families 17h and 19h their PPRs, "Core Performance
//! Monitor Counters". The generic events are those of torvalds/linux arch/x86/events/amd/core.c, except for the
//! caches of K7 and family 16h, for which Linux has 077DH and 077EH too. K7's list has no event 7DH or 7EH, nor have the
//! lists of OProfile and libpfm4 for it, and PAPI counts no requests to its second level. Family 16h has these events in
//! counters of the cache's own ("L2I Performance Counter Events"), and libpfm4 and PAPI none for the core's. A counter
//! that is given them counts nothing.

use super::capabilities::{Capabilities, Microarchitecture};
use super::registers::Select;
use crate::event::{CounterSet, Event, Generic, Refusal, Result};

/// Branches retired that were taken.
pub(super) const TAKEN_BRANCHES: Event = Event::raw(0x00C4);

/// The number of floating-point operations retired, up to 64 in a cycle: a large increment, which needs two counters; Zen.
const FLOPS: u16 = 0x003;

impl Microarchitecture {
    /// Returns the boundary, in bytes, that a misaligned data reference of event 47H crosses, or `None` if the manual
    /// defines none.
    ///
    /// It is 8 on K8 (BKDG 26094), 16 on families 10h (BKDG 31116), 12h, 14h and 16h, there with the unit mask 01H
    /// (BKDG 48751), and 8 again on family 15h (BKDG 42301). From Zen 3 on the unit mask 01H selects a cache line.
    /// Families 10h to 16h were checked against AMD's own event files (GPUOpen-Archive/CodeXL,
    /// CpuProfiling/Data/Events), and Zen 4 against its PPR (55901, PMCx047). Those files have no boundary for K8,
    /// whose eight bytes are from a secondary source.
    #[must_use]
    pub const fn misaligned_across(self) -> Option<u64> {
        match self {
            Self::K7 | Self::Zen => None,
            Self::K8 | Self::Family15h => Some(8),
            Self::Family10h | Self::Family16h => Some(16),
            Self::Zen3 => Some(64),
        }
    }
}

/// What an event is on a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Its code.
    pub(super) code: u64,
    /// The counters that can count it, of a pair the first.
    pub(super) counters: CounterSet,
    /// Whether it needs a pair of counters.
    pub(super) merged: bool,
}

impl Meaning {
    /// Returns what an event is.
    ///
    /// # Errors
    /// [`Refusal::UnknownEvent`] if no counter counts it, [`Refusal::Impossible`] if the northbridge does; reserved bits, and
    /// an auxiliary value, which no event has.
    #[inline(always)]
    pub(super) fn of(capabilities: &Capabilities, event: Event) -> Result<Self, Refusal> {
        let code = match event {
            Event::Generic(generic) => generic_code(capabilities, generic)?,
            Event::Raw { code, auxiliary } => raw_code(capabilities, code, auxiliary)?,
        };
        let select = Select::from_bits_retain(code);
        let (counters, merged) = (counters(capabilities, select), is_large(capabilities, select));
        if counters.is_empty() { Err(refusal(capabilities, select)) } else { Ok(Self { code, counters, merged }) }
    }
}

/// Returns why no counter counts what `select` selects.
#[cold]
const fn refusal(capabilities: &Capabilities, select: Select) -> Refusal {
    match capabilities.microarchitecture {
        Microarchitecture::K8
        | Microarchitecture::Family10h
        | Microarchitecture::Family15h
        | Microarchitecture::Family16h
            if is_northbridge(select) =>
        {
            Refusal::Impossible(
                "it is an event of the northbridge, which all cores share, and no counter of a core is the northbridge's; count an event that has counters in Plan::catalogue",
            )
        }
        _ => Refusal::UnknownEvent,
    }
}

/// Returns a code of the processor's own.
#[inline(always)]
fn raw_code(capabilities: &Capabilities, code: u64, auxiliary: u64) -> Result<u64, Refusal> {
    let reserved = code & !selectable(capabilities, Select::from_bits_retain(code)).bits();
    if reserved != 0 {
        return Err(Refusal::ReservedBits(reserved));
    }
    if auxiliary == 0 { Ok(code) } else { Err(Refusal::Auxiliary(auxiliary)) }
}

/// Returns the bits that this code may have.
#[inline(always)]
fn selectable(capabilities: &Capabilities, code: Select) -> Select {
    let bits = Select::CODE & capabilities.selectable;
    if is_retired(code) { bits } else { bits - Select::EXACT }
}

/// Returns the code of a generic event.
///
/// # Errors
/// [`Refusal::UnknownEvent`] if the processor does not have it.
pub(super) fn generic_code(capabilities: &Capabilities, generic: Generic) -> Result<u64, Refusal> {
    code_of(capabilities, generic).ok_or(Refusal::UnknownEvent)
}

fn code_of(capabilities: &Capabilities, generic: Generic) -> Option<u64> {
    let zen = capabilities.microarchitecture.merges();
    match generic {
        Generic::Instructions => Some(0x00C0),
        Generic::Cycles => Some(0x0076),
        Generic::ReferenceCycles => capabilities.has_global().then_some(0x0001_0000_0120),
        Generic::Branches => Some(0x00C2),
        Generic::BranchMisses => Some(0x00C3),
        Generic::CacheReferences if zen => Some(0xFF60),
        Generic::CacheMisses if zen => Some(0x0964),
        Generic::CacheReferences => sees_second_level(capabilities.microarchitecture).then_some(0x077D),
        Generic::CacheMisses => sees_second_level(capabilities.microarchitecture).then_some(0x077E),
        Generic::Slots => None,
    }
}

/// Returns true if these counters count the second-level cache. K7's do not, and family 16h's cache has its own (L2I).
const fn sees_second_level(microarchitecture: Microarchitecture) -> bool {
    !matches!(microarchitecture, Microarchitecture::K7 | Microarchitecture::Family16h)
}

/// Returns true if the event can add more than 15 in a cycle, so that it needs two counters (PPR for
/// family 17h, "Large Increment per Cycle Events").
pub(super) fn is_large(capabilities: &Capabilities, select: Select) -> bool {
    capabilities.microarchitecture.merges() && select.event() == FLOPS
}

/// Returns the counters that can count what `select` selects; none if there is no such event.
pub(super) fn counters(capabilities: &Capabilities, select: Select) -> CounterSet {
    let set = match capabilities.microarchitecture {
        Microarchitecture::K7 => CounterSet::first(4),
        Microarchitecture::K8 | Microarchitecture::Family10h if is_northbridge(select) => CounterSet::EMPTY,
        Microarchitecture::K8 | Microarchitecture::Family10h => CounterSet::first(4),
        Microarchitecture::Family15h => counters_of_family_15h(select),
        Microarchitecture::Family16h if is_northbridge(select) || is_second_levels(select) => CounterSet::EMPTY,
        Microarchitecture::Family16h => CounterSet::first(4),
        Microarchitecture::Zen | Microarchitecture::Zen3 if select.is_merge() => CounterSet::EMPTY,
        Microarchitecture::Zen | Microarchitecture::Zen3 if is_large(capabilities, select) => {
            first_of_pairs(capabilities.counters)
        }
        Microarchitecture::Zen | Microarchitecture::Zen3 if select.contains(Select::EXACT) => EXACT_COUNTERS,
        Microarchitecture::Zen | Microarchitecture::Zen3 => capabilities.counters,
    };
    set.and(capabilities.counters)
}

/// The counter that counts exactly (`errata`).
const EXACT_COUNTERS: CounterSet = CounterSet::from_bits(1 << 2);

/// Returns true for the events that `errata` is about, with any unit mask.
pub(super) const fn is_retired(select: Select) -> bool {
    matches!(select.event(), 0x0C0..=0x0C5 | 0x0C8..=0x0CA | 0x0CC | 0x0D1 | 0x1C7 | 0x1D0)
}

/// Returns the even counters whose next counter exists.
pub(super) const fn first_of_pairs(counters: CounterSet) -> CounterSet {
    CounterSet::from_bits(counters.bits() & counters.bits() >> 1 & 0x5555_5555_5555_5555)
}

/// Returns true for the events of the northbridge: E0H to FFH, with any high bits (BKDG 31116, "Performance
/// Counter Events"; 26094).
const fn is_northbridge(select: Select) -> bool {
    select.event() & 0xE0 == 0xE0
}

/// Returns true for the events of family 16h's second-level cache, which four cores share and which has counters of
/// its own (BKDG 48751, "L2I Performance Counter Events").
const fn is_second_levels(select: Select) -> bool {
    matches!(select.event(), 0x060 | 0x061 | 0x07D..=0x07F)
}

/// Counters 0 to 2, and 3 to 5. The names are those of the registers in the manual.
const LOW: CounterSet = CounterSet::from_bits(0b00_0111);
const HIGH: CounterSet = CounterSet::from_bits(0b11_1000);
const ANY: CounterSet = CounterSet::from_bits(0b11_1111);
const ZERO: CounterSet = CounterSet::from_bits(0b00_0001);
const THREE: CounterSet = CounterSet::from_bits(0b00_1000);
const ZERO_OR_THREE: CounterSet = CounterSet::from_bits(0b00_1001);

/// Returns the counters that can count an event, by the unit of the processor that it belongs to, with exceptions
/// (BKDG 42301, "Performance Counter Events", the line PERF_CTL of each event; checked against AMD's own event
/// files of five models). Where models differ, only the counters that all of them have are returned.
fn counters_of_family_15h(select: Select) -> CounterSet {
    let masks = select.unit_mask();
    match select.event() {
        0x000 if masks & 0xF0 != 0 && masks & 0x0F != 0 => THREE,
        0x004 if masks.count_ones() > 1 => THREE,
        0x003 | 0x00B | 0x00D | 0x02D => THREE,
        0x02E => ZERO_OR_THREE,
        0x031 if masks.count_ones() > 1 => CounterSet::EMPTY,
        0x023 | 0x031 | 0x043 | 0x045 | 0x046 | 0x054 | 0x055 => LOW,
        0x08F | 0x187 | 0x188 => ZERO,
        0x0DB..=0x0DF | 0x1D0 | 0x1D6 | 0x1D8 => ANY,
        0x1C0 => HIGH,
        event => counters_of_unit(event),
    }
}

fn counters_of_unit(event: u16) -> CounterSet {
    match event & 0xF0 {
        0x00 | 0x10 => HIGH,
        0x20..=0x50 | 0xC0 => ANY,
        0x60..=0x90 | 0xD0 => LOW,
        _ => CounterSet::EMPTY,
    }
}
