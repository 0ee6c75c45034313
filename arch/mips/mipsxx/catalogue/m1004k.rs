//! The events of 1004K that 34K does not have: those of its coherent caches.
//!
//! Source: names, numbers and shortest periods are those of OProfile's list mips/1004K (GPL), which has 34K's, too.

use super::event;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("EVICTION_COUNT", 0x3A, 0b0101, 500),
    event("FSB_INDEX_CONFLICT_STALLS", 0x426, 0b1010, 500),
    event("INTERVENTION_COUNT", 0x438, 0b1010, 500),
    event("INTERVENTION_HIT_COUNT", 0x38, 0b0101, 500),
    event("INTERVENTION_MISS_STALLS", 0x424, 0b1010, 500),
    event("INTERVENTION_STALLS", 0x24, 0b0101, 500),
    event("INVALIDATE_INTERVENTION_COUNT", 0x39, 0b0101, 500),
    event("INVALIDATE_INTERVENTION_HIT_COUNT", 0x439, 0b1010, 500),
    event("MESI_EXCLUSIVE_COUNT", 0x43B, 0b1010, 500),
    event("MESI_INVAL_COUNT", 0x3B, 0b0101, 500),
    event("MESI_MODIFIED_COUNT", 0x3C, 0b0101, 500),
    event("MESI_SHARED_COUNT", 0x43C, 0b1010, 500),
    event("SELF_INTERVENTION_COUNT", 0x43D, 0b1010, 500),
    event("SELF_INTERVENTION_LATENCY", 0x3D, 0b0101, 500),
    event("WRITEBACK_COUNT", 0x43A, 0b1010, 500),
];
