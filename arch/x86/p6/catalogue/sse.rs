//! The events of the Pentium III, by name, beside those of the Pentium II: SSE.
//!
//! Sources: SDM vol. 3, table "Events That Can Be Counted with the P6 Family Performance-Monitoring Counters"; libpfm4,
//! lib/events/intel_p6_events.h (MIT); shortest periods as in OProfile, events/i386/piii/events.

use super::masked;
use super::masks::{PREFETCHES, SSE};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    masked("EMON_KNI_COMP_INST_RET", 0xD9, 0b11, 3000, SSE),
    masked("EMON_KNI_INST_RETIRED", 0xD8, 0b11, 3000, SSE),
    masked("EMON_KNI_PREF_DISPATCHED", 0x07, 0b11, 500, PREFETCHES),
    masked("EMON_KNI_PREF_MISS", 0x4B, 0b11, 500, PREFETCHES),
];
