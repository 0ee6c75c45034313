//! The events of Lunar Lake, in addition to those that all have.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the list calls deprecated.
//!
//! Source: intel/perfmon, lunarlake_lioncove_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::{any, only};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    only("MEM_LOAD_L3_MISS_RETIRED.MEMSIDE_CACHE", 0x0100000000D3, 0xf),
    any("MEM_STORE_RETIRED.MEMSIDE_CACHE", 0x040000000044),
    any("OCR.DEMAND_DATA_RD.L3_MISS", 0x012A).beside(0x9e7fa000001),
    any("OCR.DEMAND_RFO.L3_MISS", 0x012A).beside(0x9e7fa000002),
];
