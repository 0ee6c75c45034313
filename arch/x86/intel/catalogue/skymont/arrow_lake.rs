//! The events that Skymont has only in Arrow Lake, or with another code than elsewhere.
//!
//! Names that the lists call deprecated are left out, and so is the event of the off-core responses without a value.
//!
//! Source: intel/perfmon, arrowlake_skymont_core.json (BSD-3-Clause): names, codes and counters.

use super::super::{any, precise};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("FRONTEND_RETIRED_SOURCE.ICACHE_L3_HIT", 0x06C9),
    any("MEM_BOUND_STALLS_IFETCH.LLC_HIT", 0x0635),
    any("MEM_BOUND_STALLS_LOAD.LLC_HIT", 0x0634),
    any("MEM_BOUND_STALLS_LOAD.LLC_HIT_NOSNOOP", 0x0234),
    any("MEM_BOUND_STALLS_LOAD.LLC_HIT_SNOOP", 0x0434),
    any("MEM_BOUND_STALLS_LOAD.LLC_MISS_LOCALMEM", 0x5034),
    any("MEM_LOAD_UOPS_MISC_RETIRED.L3_HIT_SNOOP_HITM", 0x08D4),
    any("MEM_LOAD_UOPS_MISC_RETIRED.LOCAL_DRAM", 0x02D4),
    any("MEM_LOAD_UOPS_RETIRED.L3_HIT", 0x1CD1),
    any("MEM_LOAD_UOPS_RETIRED.L3_HIT_NO_SNOOP", 0x04D1),
    precise("MEM_UOPS_RETIRED.LOAD_LATENCY_GT_1024", 0x05D0).beside(0x400),
    precise("MEM_UOPS_RETIRED.LOAD_LATENCY_GT_2048", 0x05D0).beside(0x800),
];
