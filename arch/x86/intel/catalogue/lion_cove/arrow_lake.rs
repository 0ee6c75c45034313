//! The events of Arrow Lake, in addition to those that all have.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the list calls deprecated.
//!
//! Source: intel/perfmon, arrowlake_lioncove_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::any;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("OCR.DEMAND_DATA_RD.L3_MISS", 0x012A).beside(0xfe7f8000001),
    any("OCR.DEMAND_RFO.L3_MISS", 0x012A).beside(0xfe7f8000002),
];
