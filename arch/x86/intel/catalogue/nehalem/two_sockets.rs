//! The events of Nehalem for one and two sockets, in addition to those that all have.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the list calls deprecated.
//!
//! Source: intel/perfmon, NehalemEP_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::any;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("MEM_UNCORE_RETIRED.LOCAL_DRAM", 0x200F),
    any("MEM_UNCORE_RETIRED.OTHER_CORE_L2_HITM", 0x020F),
    any("MEM_UNCORE_RETIRED.REMOTE_CACHE_LOCAL_HOME_HIT", 0x080F),
    any("MEM_UNCORE_RETIRED.REMOTE_DRAM", 0x100F),
    any("MEM_UNCORE_RETIRED.UNCACHEABLE", 0x800F),
];
