//! The events of Sapphire Rapids, which has persistent memory, in addition to those of servers.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the list calls deprecated.
//!
//! Source: intel/perfmon, sapphirerapids_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::only;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    only("MEM_LOAD_L3_MISS_RETIRED.REMOTE_PMM", 0x10D3, 0xf),
    only("MEM_LOAD_RETIRED.LOCAL_PMM", 0x80D1, 0xf),
    only("OCR.DEMAND_DATA_RD.LOCAL_SOCKET_PMM", 0x012A, 0xf).beside(0x700c00001),
    only("OCR.DEMAND_DATA_RD.PMM", 0x012A, 0xf).beside(0x703c00001),
    only("OCR.DEMAND_DATA_RD.REMOTE_PMM", 0x012A, 0xf).beside(0x703000001),
    only("OCR.READS_TO_CORE.LOCAL_SOCKET_PMM", 0x012A, 0xf).beside(0x700c04477),
    only("OCR.READS_TO_CORE.REMOTE_PMM", 0x012A, 0xf).beside(0x703004477),
];
