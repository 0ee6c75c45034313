//! The events of Westmere for many sockets, in addition to those that all have.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the list calls deprecated.
//!
//! Source: intel/perfmon, WestmereEX_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::any;
use crate::event::Flag;
use crate::event::catalogue::NamedEvent;

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
