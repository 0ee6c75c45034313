//! The events of Arrow Lake beside those that all have.
//!
//! Left out are events of the debug store alone, but for the latencies of loads, those that invert no
//! threshold, and names that the list calls deprecated.
//!
//! Source: intel/perfmon, arrowlake_lioncove_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::any;
use crate::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("OCR.DEMAND_DATA_RD.L3_MISS", 0x012A).beside(0xfe7f8000001),
    any("OCR.DEMAND_RFO.L3_MISS", 0x012A).beside(0xfe7f8000002),
];
