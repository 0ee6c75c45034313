//! The events of Westmere for many sockets beside those that all have.
//!
//! Left out are events of the debug store alone, but for the latencies of loads, those that invert no
//! threshold, and names that the list calls deprecated.
//!
//! Source: intel/perfmon, WestmereEX_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::any;
use crate::catalogue::NamedEvent;
use crate::event::Flag;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("DTLB_LOAD_MISSES.LARGE_WALK_COMPLETED", 0x8008),
    any("DTLB_MISSES.PDE_MISS", 0x2049),
    any("ITLB_MISSES.LARGE_WALK_COMPLETED", 0x8085),
    any("MEM_UNCORE_RETIRED.LOCAL_DRAM_AND_REMOTE_CACHE_HIT", 0x080F),
    any("MEM_UNCORE_RETIRED.LOCAL_HITM", 0x020F),
    any("MEM_UNCORE_RETIRED.REMOTE_DRAM", 0x200F),
    any("MEM_UNCORE_RETIRED.REMOTE_HITM", 0x040F),
    any("MEM_UNCORE_RETIRED.UNCACHEABLE", 0x800F),
    any("MISALIGN_MEM_REF.STORE", 0x0205),
    any("UOPS_EXECUTED.CORE_STALL_COUNT", 0x3FB1).threshold(1).flag(Flag::Edge).flag(Flag::Invert),
    any("UOPS_EXECUTED.CORE_STALL_COUNT_NO_PORT5", 0x1FB1).threshold(1).flag(Flag::Edge).flag(Flag::Invert),
];
