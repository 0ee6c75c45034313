//! The events of Redwood Cove in clients, in addition to those that all have.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the list calls deprecated.
//!
//! Source: intel/perfmon, meteorlake_redwoodcove_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::only;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    only("OCR.COREWB_M.L3_HIT", 0x012A, 0xf).beside(0x3f803c0008),
    only("OCR.COREWB_NONM.L3_HIT", 0x012A, 0xf).beside(0x3f803c1000),
    only("OCR.DEMAND_DATA_RD.DRAM", 0x012A, 0xf).beside(0x184000001),
    only("OCR.DEMAND_RFO.ANY_RESPONSE", 0x012A, 0xf).beside(0x10002),
    only("OCR.DEMAND_RFO.L3_MISS", 0x012A, 0xf).beside(0x3fbfc00002),
    only("OCR.READS_TO_CORE.L3_HIT", 0x012A, 0xf).beside(0x3f803c4477),
];
