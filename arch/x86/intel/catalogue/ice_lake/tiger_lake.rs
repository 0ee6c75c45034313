//! The events of Tiger Lake, in addition to those that all have.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the list calls deprecated.
//!
//! Source: intel/perfmon, tigerlake_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::{any, only};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("EXE_ACTIVITY.BOUND_ON_LOADS", 0x21A6).threshold(5),
    any("EXE_ACTIVITY.EXE_BOUND_0_PORTS", 0x80A6),
    only("IDQ.MS_CYCLES_ANY", 0x3079, 0xf).threshold(1),
    only("L2_RQSTS.MISS", 0x3F24, 0xf),
    only("L2_RQSTS.REFERENCES", 0xFF24, 0xf),
    only("LOCK_CYCLES.CACHE_LOCK_DURATION", 0x0263, 0xf),
    only("MEM_LOAD_L3_HIT_RETIRED.XSNP_FWD", 0x04D2, 0xf),
    only("MEM_LOAD_L3_HIT_RETIRED.XSNP_NO_FWD", 0x02D2, 0xf),
    only("OCR.DEMAND_DATA_RD.L3_HIT.SNOOP_HIT_WITH_FWD", 0x01B7, 0xf).beside(0x8003c0001),
    only("OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_DATA_RD", 0x0160, 0xf).threshold(1),
    only("OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD_GE_6", 0x0160, 0xf).threshold(6),
    only("OFFCORE_REQUESTS_OUTSTANDING.DEMAND_RFO", 0x0460, 0xf),
    any("UOPS_EXECUTED.CORE", 0x02B1),
];
