//! Replay tagging: what a replay event counts is said by two registers, which all counters share.
//!
//! Source: SDM vol. 3, table "List of Metrics Available for Replay Tagging". Checked against torvalds/linux,
//! arch/x86/events/intel/p4.c (p4_pebs_bind_map). Of the bits that the table names, bit 25 of IA32_PEBS_ENABLE makes the
//! processor write records to memory, which this crate does not support; counting does not need it, and Linux leaves it
//! clear too.
//!
//! The metrics of replayed loads and of split loads and stores also need an event that says which they are
//! (MOB_load_replay, load_port_replay, store_port_replay), as a request of its own.

use super::capabilities::Capabilities;
use super::registers::PebsEnable;
use crate::event::{Refusal, Result};

/// A metric: its bit in the mask of a replay event, and the values of IA32_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT.
type Metric = (u32, u64, u64);

/// The metrics, by the bits that libpfm gives them.
const METRICS: [Metric; 9] = [
    (2, 1 << 0, 0b01),    // 1stL_cache_load_miss_retired
    (3, 1 << 1, 0b01),    // 2ndL_cache_load_miss_retired
    (4, 1 << 2, 0b01),    // DTLB_load_miss_retired
    (5, 1 << 2, 0b10),    // DTLB_store_miss_retired
    (6, 1 << 2, 0b11),    // DTLB_all_miss_retired
    (7, 3 << 15, 1 << 4), // Tagged_mispred_branch
    (8, 1 << 9, 0b01),    // MOB_load_replay_retired
    (9, 1 << 10, 0b01),   // split_load_retired
    (10, 1 << 10, 0b10),  // split_store_retired
];

/// The bits of a replay event's mask that its ESCR has: NBOGUS and BOGUS.
const OF_THE_ESCR: u64 = 0b11 << 16;
const MASK: u64 = 0xFFFF << 16;
/// Bit 0 of the mask: not bogus.
const RETIRED: u64 = 1 << 16;

/// The bits of MSR_PEBS_MATRIX_VERT that the metrics use.
const VERTICAL: u64 = 0x13;

const UNTAGGED: Refusal = Refusal::Impossible(
    "nothing is tagged for a replay event: name in its mask what is, such as L1_LD_MISS, or give the values of IA32_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT",
);
const SEVERAL: Refusal = Refusal::Impossible("a replay event counts one kind of replay: use a request for each");
const NO_REPLAY: Refusal =
    Refusal::Impossible("IA32_MISC_ENABLE says that this processor has no PEBS, and so no replay tagging");

/// Returns the code of a replay event, and the values of the two registers. Its micro-operations are those that
/// retired, unless its mask says otherwise.
#[cold]
#[inline(never)]
pub(super) fn tagged(capabilities: &Capabilities, code: u64, auxiliary: u64) -> Result<(u64, u64), Refusal> {
    if !capabilities.replay {
        return Err(NO_REPLAY);
    }
    let replay = match (named(code)?, auxiliary) {
        (None, 0) => return Err(UNTAGGED),
        (None, given) => checked(given)?,
        (Some(named), 0) => named,
        (Some(_), _) => return Err(SEVERAL),
    };
    let mask = match code & OF_THE_ESCR {
        0 => RETIRED,
        mask => mask,
    };
    Ok((code & !MASK | mask, replay))
}

/// Returns the values of the metric that a mask names.
fn named(code: u64) -> Result<Option<u64>, Refusal> {
    let chosen = (code & MASK & !OF_THE_ESCR) >> 16;
    if chosen == 0 {
        return Ok(None);
    }
    let found = METRICS.into_iter().find(|&(bit, ..)| 1 << bit == chosen);
    match found {
        Some((_, enable, vertical)) => Ok(Some(PebsEnable::UOP_TAG.bits() | enable | vertical << 32)),
        None if chosen >> 11 != 0 => Err(Refusal::ReservedBits(chosen >> 11 << 27)),
        None => Err(SEVERAL),
    }
}

/// Checks values that a request gives.
fn checked(given: u64) -> Result<u64, Refusal> {
    let allowed = PebsEnable::METRICS.union(PebsEnable::BRANCHES).union(PebsEnable::UOP_TAG).bits() | VERTICAL << 32;
    if given & !allowed != 0 {
        return Err(Refusal::Auxiliary(given & !allowed));
    }
    if given & PebsEnable::UOP_TAG.bits() == 0 || given >> 32 == 0 { Err(UNTAGGED) } else { Ok(given) }
}

/// Returns IA32_PEBS_ENABLE of these values.
#[inline(always)]
pub(super) const fn enable(replay: u64) -> u64 {
    replay & 0xFFFF_FFFF
}

/// Returns MSR_PEBS_MATRIX_VERT of these values.
#[inline(always)]
pub(super) const fn vertical(replay: u64) -> u64 {
    replay >> 32
}
