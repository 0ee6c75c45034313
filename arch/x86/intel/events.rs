//! The codes of Intel's events, and the fixed counters that count them.
//!
//! Sources: SDM vol. 3, "Performance Monitoring", tables "Architectural Performance Events" and
//! "Association of Fixed-Function Performance Counters with Architectural Performance Events".

use super::capabilities::{Architectural, Capabilities};
use super::model::Microarchitecture;
use super::registers::Select;
use crate::event::{CounterSet, Event, Generic, Refusal, Result};

/// What an event is on a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// Its code on a general counter, with the mark of the auxiliary register that it needs.
    pub(super) word: u64,
    /// The counters that can count it.
    pub(super) counters: CounterSet,
}

impl Meaning {
    /// Returns what an event is.
    ///
    /// # Errors
    /// [`Refusal::UnknownEvent`] if no counter counts it; reserved bits, and auxiliary values that have no meaning.
    #[inline(always)]
    pub(super) fn of(capabilities: &Capabilities, event: Event) -> Result<Self, Refusal> {
        let meaning = match event {
            Event::Generic(generic) => Self::of_generic(capabilities, generic),
            Event::Raw { code, auxiliary } => Self::of_raw(capabilities, code, auxiliary)?,
        };
        if meaning.counters.is_empty() { Err(Refusal::UnknownEvent) } else { Ok(meaning) }
    }

    /// Returns what a generic event is; without a counter if the processor does not have it.
    #[inline(always)]
    pub(super) fn of_generic(capabilities: &Capabilities, generic: Generic) -> Self {
        let known = &GENERIC[generic as usize % GENERIC.len()];
        if !capabilities.events.contains(known.announced) || generic == Generic::ReferenceCycles {
            return Self::of_special(capabilities, generic);
        }
        Self { word: known.code.into(), counters: capabilities.general.or(capabilities.fixed.and(known.fixed)) }
    }

    /// Returns what a generic event is that has another code than the architectural one, or none.
    #[cold]
    #[inline(never)]
    fn of_special(capabilities: &Capabilities, generic: Generic) -> Self {
        let code = match generic {
            // It has another rate than the general event, so that neither can replace the other.
            Generic::ReferenceCycles if capabilities.fixed.bits() & 1 << 34 != 0 => 0x0300,
            Generic::ReferenceCycles if capabilities.events.contains(Architectural::REFERENCE_CYCLES) => 0x013C,
            // BR_MISP_EXEC.ANY: Nehalem cannot count those that retired, and hides the architectural event (erratum AAJ80).
            Generic::BranchMisses if capabilities.microarchitecture == Some(Microarchitecture::Nehalem) => 0x7F89,
            _ => return Self { word: 0, counters: CounterSet::EMPTY },
        };
        Self { word: code, counters: counters(capabilities, code) }
    }

    /// Returns what a code of the processor's own is.
    #[inline(never)]
    fn of_raw(capabilities: &Capabilities, code: u64, auxiliary: u64) -> Result<Self, Refusal> {
        let reserved = code & !(Select::CODE & capabilities.selectable).bits();
        if reserved != 0 {
            return Err(Refusal::ReservedBits(reserved));
        }
        let known = capabilities.auxiliaries.iter().find(|known| known.code == code);
        let (mark, mask) = known.map_or((0, 0), |known| (known.beside.mark(), known.mask));
        if auxiliary & !mask != 0 {
            return Err(without_meaning(code, auxiliary & !mask));
        }
        Ok(Self { word: code | mark, counters: counters(capabilities, code) })
    }
}

/// Returns the counters that count the event with this code.
fn counters(capabilities: &Capabilities, code: u64) -> CounterSet {
    let general = if code & 0xFF == 0 { CounterSet::EMPTY } else { capabilities.general };
    general.or(fixed_counter(capabilities.events, code).and(capabilities.fixed))
}

/// Returns why bits of an auxiliary value have no meaning. The least latency of a load, which
/// [`auxiliary`](super::auxiliary) leaves out, has a reason of its own.
#[cold]
const fn without_meaning(code: u64, bits: u64) -> Refusal {
    match code {
        0x01CD | 0x100B | 0x05D0 => Refusal::Impossible(
            "latencies of loads are counted with precise sampling (PEBS) alone, which this driver does not program",
        ),
        _ => Refusal::Auxiliary(bits),
    }
}

/// Returns the fixed counter for an event code, whether or not this processor has that counter.
fn fixed_counter(announced: Architectural, code: u64) -> CounterSet {
    let (event, number) = match code {
        0x00C0 => (Architectural::INSTRUCTIONS, 0),
        0x003C => (Architectural::CYCLES, 1),
        0x01A4 => (Architectural::SLOTS, 3),
        0x0073 => (Architectural::BAD_SPECULATION, 4),
        0x019C => (Architectural::FRONTEND_BOUND, 5),
        0x02C2 => (Architectural::RETIRING, 6),
        0x0100..0x0800 if code & 0xFF == 0 => (Architectural::empty(), (code >> 8) - 1),
        _ => return CounterSet::EMPTY,
    };
    CounterSet::from_bits(if announced.contains(event) { 1 << 32 << number } else { 0 })
}

/// A generic event as the architecture has it.
struct Known {
    announced: Architectural,
    code: u32,
    /// The fixed counter that counts it, if it has one.
    fixed: CounterSet,
}

const fn known(announced: Architectural, code: u32, fixed: u64) -> Known {
    Known { announced, code, fixed: CounterSet::from_bits(fixed << 32) }
}

/// The generic events, in their order.
const GENERIC: [Known; Generic::ALL.len()] = [
    known(Architectural::INSTRUCTIONS, 0x00C0, 1 << 0),
    known(Architectural::CYCLES, 0x003C, 1 << 1),
    known(Architectural::REFERENCE_CYCLES, 0x013C, 0),
    known(Architectural::BRANCHES, 0x00C4, 0),
    known(Architectural::BRANCH_MISSES, 0x00C5, 0),
    known(Architectural::CACHE_REFERENCES, 0x4F2E, 0),
    known(Architectural::CACHE_MISSES, 0x412E, 0),
    known(Architectural::SLOTS, 0x01A4, 1 << 3),
];

/// Returns true if the event with this code counts issue slots.
pub(super) const fn counts_slots(code: u64) -> bool {
    matches!(code, 0x01A4 | 0x02A4 | 0x0073 | 0x019C | 0x02C2 | 0x0400 | 0x0500 | 0x0600 | 0x0700)
}
