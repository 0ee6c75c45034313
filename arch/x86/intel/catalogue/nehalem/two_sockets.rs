//! The events of Nehalem for one and two sockets beside those that all have.
//!
//! Left out are events of the debug store alone, but for the latencies of loads, those that invert no
//! threshold, and names that the list calls deprecated.
//!
//! Source: intel/perfmon, NehalemEP_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::any;
use crate::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("MEM_UNCORE_RETIRED.LOCAL_DRAM", 0x200F),
    any("MEM_UNCORE_RETIRED.OTHER_CORE_L2_HITM", 0x020F),
    any("MEM_UNCORE_RETIRED.REMOTE_CACHE_LOCAL_HOME_HIT", 0x080F),
    any("MEM_UNCORE_RETIRED.REMOTE_DRAM", 0x100F),
    any("MEM_UNCORE_RETIRED.UNCACHEABLE", 0x800F),
];
