//! The codes of the Pentium 4's events, and the counters that count them.
//!
//! An event code has these fields:
//!
//! | bits | contents |
//! |---|---|
//! | 0 to 5 | the event, as the ESCR has it |
//! | 8 to 10 | the number of the ESCR, as the CCCR has it |
//! | 12 and 13 | the part of the processor: 0 BPU, 1 MS, 2 FLAME, 3 IQ |
//! | 16 to 31 | the event's mask, as the ESCR has it |
//! | 32 to 35 | the tag that the ESCR tags with; 0 tags nothing |
//!
//! The first two are libpfm's code of an event. They do not say which event it is: memory_cancel (FLAME) and
//! machine_clear (IQ) have the same.
//!
//! A replay event ([`REPLAY`]) needs beside its code the values of IA32_PEBS_ENABLE, in bits 0 to 31 of the
//! [auxiliary value](crate::Event::Raw), and of MSR_PEBS_MATRIX_VERT, in bits 32 to 63.

use super::registers::Escr;
use crate::event::Event;

/// A part of the processor, whose counters count the events of its ESCRs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Part {
    /// The front-side bus, the caches' buses, page walks and instruction fetches: counters 0 to 3.
    Bpu,
    /// The trace cache and the microcode: counters 4 to 7.
    Ms,
    /// Execution, loads and stores: counters 8 to 11.
    Flame,
    /// Retirement and allocation: counters 12 to 17.
    Iq,
}

/// Returns the code of an event: its part, its number in the ESCR, the ESCR's number in the CCCR, and its mask.
#[must_use]
pub const fn code(part: Part, event: u8, select: u8, mask: u16) -> u64 {
    event as u64 & 0x3F | (select as u64 & 7) << 8 | (part as u64) << 12 | (mask as u64) << 16
}

/// Returns what an event code sets in its ESCR.
#[inline(always)]
#[must_use]
pub const fn escr(code: u64) -> Escr {
    let escr = Escr::of((code & 0x3F) as u8, (code >> 16) as u16);
    let tag = (code >> 32 & 0xF) as u8;
    if tag == 0 { escr } else { escr.tagging(tag) }
}

/// Returns the number of an event code's ESCR in the CCCR.
#[inline(always)]
#[must_use]
pub const fn select(code: u64) -> u8 {
    (code >> 8 & 7) as u8
}

/// Instructions retired, tagged or not (instr_retired: NBOGUSNTAG, NBOGUSTAG).
pub const INSTRUCTIONS: Event = Event::raw(code(Part::Iq, 0x02, 4, 0b11));
/// Cycles while not halted (global_power_events: RUNNING).
pub const CYCLES: Event = Event::raw(code(Part::Bpu, 0x13, 6, 1));
/// Branches retired (branch_retired: MMNP, MMNM, MMTP, MMTM).
pub const BRANCHES: Event = Event::raw(code(Part::Iq, 0x06, 5, 0xF));
/// Branches retired that were taken (branch_retired: MMTP, MMTM).
pub const TAKEN_BRANCHES: Event = Event::raw(code(Part::Iq, 0x06, 5, 0xC));
/// Branches retired that were mispredicted (mispred_branch_retired: NBOGUS).
pub const BRANCH_MISSES: Event = Event::raw(code(Part::Iq, 0x03, 4, 1));
/// Reads that looked into the second-level cache, and writes that missed it (BSQ_cache_reference).
pub const L2_REFERENCES: Event = Event::raw(code(Part::Bpu, 0x0C, 7, 0x507));
/// Reads and writes that missed the second-level cache (BSQ_cache_reference: RD_2ndL_MISS, WR_2ndL_MISS).
pub const L2_MISSES: Event = Event::raw(code(Part::Bpu, 0x0C, 7, 0x500));
/// Tagged micro-operations that retired (replay_event), without a mask.
pub const REPLAY: u64 = code(Part::Iq, 0x09, 5, 0);
