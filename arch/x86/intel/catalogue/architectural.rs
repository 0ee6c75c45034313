//! The architectural events by name, whether or not a processor announces each.
//!
//! Source: SDM vol. 3, "Performance Monitoring", table "Architectural Performance Events"; names and
//! shortest periods as in OProfile, events/i386/arch_perfmon/events.

use super::timed as event;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("BR_INST_RETIRED", 0x00C4, 0xFF, 500),
    event("BR_MISS_PRED_RETIRED", 0x00C5, 0xFF, 500),
    event("CPU_CLK_UNHALTED", 0x003C, 0xFF, 6000),
    event("INST_RETIRED", 0x00C0, 0xFF, 6000),
    event("LLC_MISSES", 0x412E, 0xFF, 6000),
    event("LLC_REFS", 0x4F2E, 0xFF, 6000),
    event("UNHALTED_REFERENCE_CYCLES", 0x013C, 0xFF, 6000),
];
