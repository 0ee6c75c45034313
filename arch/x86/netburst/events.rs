//! The codes of the Pentium 4's events, and the counters that count them.
//!
//! Sources: SDM vol. 3, "Performance Monitoring Events", tables for processors based on the Intel NetBurst
//! microarchitecture (non-retirement, at-retirement, and "List of Metrics Available for ... Tagging"). Checked against
//! libpfm4, lib/events/intel_netburst_events.h, torvalds/linux, arch/x86/include/asm/perf_event_p4.h, and OProfile,
//! events/i386/p4. They disagree:
//!
//! - libpfm4 and Linux count IOQ_allocation in either ESCR of the bus, OProfile in the first only, for the sake of early
//!   processors (see [`Capabilities::is_prescott`]).
//! - libpfm4 and Linux have no x87_SIMD_moves_uop, OProfile and the SDM do. OProfile lacks the bus events b2b_cycles, bnr,
//!   snoop and response, TC_misc, resource_stall and WC_buffer.
//! - Of machine_clear libpfm4 and the SDM have the mask's bits 0, 2 and 6, OProfile 0, 6 and 7, and Linux 0 to 2.
//! - OProfile's default mask of bpu_fetch_request, of which it has one, is none at all, which counts nothing. Here it is that
//!   one; of execution_event it is the four of what is not bogus, where OProfile's is the first; and replay_event tags loads
//!   that missed the first level, where OProfile leaves the tag to its user.
//! - illumos-gate has number 05H for global_power_events, and the others have 13H.
//! - Linux' retired instructions include bogus ones and leave tagged ones out; these are those of PAPI and illumos.

use super::capabilities::Capabilities;
use super::registers::{Cccr, Escr, Half};
use super::replay;
use crate::event::{CounterSet, Event, Generic, Refusal, Result};

/// A group of counters, which count the events of the ESCRs of one part of the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum CounterGroup {
    /// The front-side bus, the caches' buses, page walks and instruction fetches: counters 0 to 3.
    Bpu,
    /// The trace cache and the microcode: counters 4 to 7.
    Ms,
    /// Execution, loads and stores: counters 8 to 11.
    Flame,
    /// Retirement and allocation: counters 12 to 17.
    Iq,
}

impl CounterGroup {
    /// Returns the code of an event of this part: its number in the ESCR, the ESCR's number in the CCCR, and its mask.
    #[must_use]
    pub const fn code(self, event: u8, select: u8, mask: u16) -> u64 {
        event as u64 & 0x3F | (select as u64 & 7) << 8 | (self as u64) << 12 | (mask as u64) << 16
    }
}

/// Returns what an event code sets in its ESCR.
#[inline(always)]
#[must_use]
pub(super) const fn escr(code: u64) -> Escr {
    let escr = Escr::of((code & 0x3F) as u8, (code >> 16) as u16);
    let tag = (code >> 32 & 0xF) as u8;
    if tag == 0 { escr } else { escr.tagging(tag) }
}

/// Returns what an event code sets in its CCCR.
#[inline(always)]
#[must_use]
pub(super) const fn cccr(code: u64) -> Cccr {
    Cccr::select(select(code)).union(Cccr::active(!(code >> 36) as u8))
}

/// Returns the number of an event code's ESCR in the CCCR.
#[inline(always)]
#[must_use]
pub(super) const fn select(code: u64) -> u8 {
    (code >> 8 & 7) as u8
}

/// Instructions retired, tagged or not (instr_retired: NBOGUSNTAG, NBOGUSTAG).
pub(super) const INSTRUCTIONS: Event = Event::raw(CounterGroup::Iq.code(0x02, 4, 0b11));
/// Cycles while not halted (global_power_events: RUNNING).
pub(super) const CYCLES: Event = Event::raw(CounterGroup::Bpu.code(0x13, 6, 1));
/// Branches retired (branch_retired: MMNP, MMNM, MMTP, MMTM).
pub(super) const BRANCHES: Event = Event::raw(CounterGroup::Iq.code(0x06, 5, 0xF));
/// Branches retired that were taken (branch_retired: MMTP, MMTM).
pub(super) const TAKEN_BRANCHES: Event = Event::raw(CounterGroup::Iq.code(0x06, 5, 0xC));
/// Branches retired that were mispredicted (mispred_branch_retired: NBOGUS).
pub(super) const BRANCH_MISSES: Event = Event::raw(CounterGroup::Iq.code(0x03, 4, 1));
/// Reads that looked into the second-level cache, and writes that missed it (BSQ_cache_reference).
pub(super) const L2_REFERENCES: Event = Event::raw(CounterGroup::Bpu.code(0x0C, 7, 0x507));
/// Reads and writes that missed the second-level cache (BSQ_cache_reference: RD_2ndL_MISS, WR_2ndL_MISS).
pub(super) const L2_MISSES: Event = Event::raw(CounterGroup::Bpu.code(0x0C, 7, 0x500));
/// Tagged micro-operations that retired (replay_event), without a mask.
pub(super) const REPLAY: u64 = CounterGroup::Iq.code(0x09, 5, 0);

/// The bits of an event code.
const FIELDS: u64 = 0x3F_FFFF_373F;
/// The bits that say which event it is: all but its mask and its tag.
const EVENT: u64 = 0x373F;

/// Bus events that the manual gives an ESCR of the bus (FSB), and number 3 in the CCCR, where the table of registers has
/// the ESCR of the instruction translations (ITLB).
const ON_THE_BUS: [u64; 4] = [bus_event(0x16), bus_event(0x08), bus_event(0x06), bus_event(0x04)];

const fn bus_event(event: u8) -> u64 {
    CounterGroup::Bpu.code(event, 3, 0)
}

/// Bus transactions allocated (IOQ_allocation).
const IOQ_ALLOCATION: u64 = CounterGroup::Bpu.code(0x03, 6, 0);
/// Entries of the bus queue that are active (IOQ_active_entries).
const IOQ_ACTIVE_ENTRIES: u64 = CounterGroup::Bpu.code(0x1A, 6, 0);
/// Entries of the bus sequence unit that are allocated (BSQ_allocation).
const BSQ_ALLOCATION: u64 = CounterGroup::Bpu.code(0x05, 7, 0);
/// Entries of the bus sequence unit that are active (bsq_active_entries).
const BSQ_ACTIVE_ENTRIES: u64 = CounterGroup::Bpu.code(0x06, 7, 0);
/// Instructions completed (instr_completed); Prescott.
const INSTRUCTIONS_COMPLETED: u64 = CounterGroup::Iq.code(0x07, 4, 0);
/// The type of micro-operations that front-end tagging tags (uop_type).
const UOP_TYPE: u64 = CounterGroup::Iq.code(0x02, 2, 0);

/// What an event means to the unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    /// The event's code, with the mask that its ESCR gets.
    pub(super) code: u64,
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    /// The values of the registers of replay tagging, as [`REPLAY`] needs them; 0 for other events.
    pub(super) replay: u64,
}

impl Meaning {
    /// Returns what an event means.
    ///
    /// # Errors
    /// Returns why no counter counts it.
    #[inline(always)]
    pub(super) fn of(capabilities: &Capabilities, event: Event) -> Result<Self, Refusal> {
        match event {
            Event::Generic(generic) => Self::of_code(capabilities, generic_code(generic)?, 0),
            Event::Raw { code, auxiliary } => Self::of_code(capabilities, code, auxiliary),
        }
    }

    fn of_code(capabilities: &Capabilities, code: u64, auxiliary: u64) -> Result<Self, Refusal> {
        if code & !FIELDS != 0 {
            return Err(Refusal::ReservedBits(code & !FIELDS));
        }
        let counters = counters(capabilities, code);
        if code & EVENT == REPLAY {
            let (code, replay) = replay::tagged(capabilities, code, auxiliary)?;
            return Ok(Self { code, counters, replay });
        }
        if auxiliary != 0 {
            return Err(Refusal::Auxiliary(auxiliary));
        }
        if counters.is_empty() && self::counters(&capabilities.alone(), code).is_empty() {
            return Err(Refusal::UnknownEvent);
        }
        Ok(Self { code, counters, replay: 0 })
    }
}

/// Returns true if an event's ESCR tags micro-operations, which other counters' events may then count.
#[inline(always)]
pub(super) const fn is_tagging(code: u64) -> bool {
    code >> 32 & 0xF != 0 || code & EVENT == UOP_TYPE
}

/// Returns true for an event whose ESCR is not the one that its number in the CCCR names.
#[inline(always)]
pub(super) const fn is_on_the_bus(code: u64) -> bool {
    let (event, mut at) = (code & EVENT, 0);
    while at < ON_THE_BUS.len() {
        if ON_THE_BUS[at] == event {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns the counters of the processor that can count an event, and whose ESCR the driver may use.
#[inline(always)]
pub(super) fn counters(capabilities: &Capabilities, code: u64) -> CounterSet {
    let (part, select) = ((code >> 12 & 3) as usize, if is_on_the_bus(code) { FSB } else { select(code) });
    let mut able = CounterSet::EMPTY;
    for half in Half::ALL.iter().skip(2 * part).take(2) {
        if half.escrs[usize::from(select & 7)].is_some_and(|escr| capabilities.may_use(escr)) {
            able = able.or(half.counters);
        }
    }
    able.and(allowed(capabilities, code & EVENT))
}

/// The number of the ESCR of the bus in the CCCR.
pub(super) const FSB: u8 = 6;

/// Returns the counters that events with one ESCR, or on later processors only, are limited to.
fn allowed(capabilities: &Capabilities, event: u64) -> CounterSet {
    match event {
        // OProfile, events/i386/p4/events: processors with a signature before 0F27H have it in the first ESCR only. All
        // before Prescott are treated alike.
        IOQ_ALLOCATION if !capabilities.is_prescott() => Half::ALL[0].counters,
        BSQ_ALLOCATION => Half::ALL[0].counters,
        IOQ_ACTIVE_ENTRIES | BSQ_ACTIVE_ENTRIES => Half::ALL[1].counters,
        INSTRUCTIONS_COMPLETED if !capabilities.is_prescott() => CounterSet::EMPTY,
        _ => CounterSet::ALL,
    }
}

/// Returns the code of a generic event. The cache is the second level. A retired load or store is not an event of the
/// unit.
///
/// # Errors
/// Returns [`Refusal::UnknownEvent`] if the unit has no such event.
pub(super) fn generic_code(generic: Generic) -> Result<u64, Refusal> {
    let event = match generic {
        Generic::Instructions => INSTRUCTIONS,
        Generic::Cycles => CYCLES,
        Generic::Branches => BRANCHES,
        Generic::BranchMisses => BRANCH_MISSES,
        Generic::CacheReferences => L2_REFERENCES,
        Generic::CacheMisses => L2_MISSES,
        _ => return Err(Refusal::UnknownEvent),
    };
    match event {
        Event::Raw { code, .. } => Ok(code),
        Event::Generic(_) => Err(Refusal::UnknownEvent),
    }
}
