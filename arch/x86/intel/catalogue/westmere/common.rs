//! The events that all Westmere processors, and no Nehalem, have by name.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the lists call deprecated.
//!
//! Source: intel/perfmon, WestmereEP-SP_core.json, WestmereEP-DP_core.json and WestmereEX_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::{any, only};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("BR_MISP_RETIRED.ALL_BRANCHES", 0x04C5),
    any("BR_MISP_RETIRED.CONDITIONAL", 0x01C5),
    any("DTLB_LOAD_MISSES.WALK_CYCLES", 0x0408),
    any("DTLB_MISSES.LARGE_WALK_COMPLETED", 0x8049),
    any("DTLB_MISSES.WALK_CYCLES", 0x0449),
    any("EPT.WALK_CYCLES", 0x104F),
    any("ITLB_MISSES.WALK_CYCLES", 0x0485),
    any("LOAD_BLOCK.OVERLAP_STORE", 0x0203),
    any("OFFCORE_REQUESTS.ANY", 0x80B0),
    any("OFFCORE_REQUESTS.ANY.READ", 0x08B0),
    any("OFFCORE_REQUESTS.ANY.RFO", 0x10B0),
    any("OFFCORE_REQUESTS.DEMAND.READ_CODE", 0x02B0),
    any("OFFCORE_REQUESTS.DEMAND.READ_DATA", 0x01B0),
    any("OFFCORE_REQUESTS.DEMAND.RFO", 0x04B0),
    only("OFFCORE_REQUESTS_OUTSTANDING.ANY.READ", 0x0860, 0x1),
    only("OFFCORE_REQUESTS_OUTSTANDING.ANY.READ_NOT_EMPTY", 0x0860, 0x1).threshold(1),
    only("OFFCORE_REQUESTS_OUTSTANDING.DEMAND.READ_CODE", 0x0260, 0x1),
    only("OFFCORE_REQUESTS_OUTSTANDING.DEMAND.READ_CODE_NOT_EMPTY", 0x0260, 0x1).threshold(1),
    only("OFFCORE_REQUESTS_OUTSTANDING.DEMAND.READ_DATA", 0x0160, 0x1),
    only("OFFCORE_REQUESTS_OUTSTANDING.DEMAND.READ_DATA_NOT_EMPTY", 0x0160, 0x1).threshold(1),
    only("OFFCORE_REQUESTS_OUTSTANDING.DEMAND.RFO", 0x0460, 0x1),
    only("OFFCORE_REQUESTS_OUTSTANDING.DEMAND.RFO_NOT_EMPTY", 0x0460, 0x1).threshold(1),
    any("SNOOPQ_REQUESTS.CODE", 0x04B4),
    any("SNOOPQ_REQUESTS.DATA", 0x01B4),
    any("SNOOPQ_REQUESTS.INVALIDATE", 0x02B4),
    only("SNOOPQ_REQUESTS_OUTSTANDING.CODE", 0x04B3, 0x1),
    only("SNOOPQ_REQUESTS_OUTSTANDING.CODE_NOT_EMPTY", 0x04B3, 0x1).threshold(1),
    only("SNOOPQ_REQUESTS_OUTSTANDING.DATA", 0x01B3, 0x1),
    only("SNOOPQ_REQUESTS_OUTSTANDING.DATA_NOT_EMPTY", 0x01B3, 0x1).threshold(1),
    only("SNOOPQ_REQUESTS_OUTSTANDING.INVALIDATE", 0x02B3, 0x1),
    only("SNOOPQ_REQUESTS_OUTSTANDING.INVALIDATE_NOT_EMPTY", 0x02B3, 0x1).threshold(1),
    any("SQ_MISC.LRU_HINTS", 0x04F4),
];
