//! The events of the Pentium M, by name, beside those that it has with the Pentium II.
//!
//! Sources: SDM vol. 3, table "Performance Monitoring Events on Intel Pentium M Processors"; libpfm4,
//! lib/events/intel_pm_events.h (MIT); shortest periods as in OProfile, events/i386/p6_mobile/events.

use super::masks::{FREQUENCY, FUSED, LINES, LOADS, PREFETCHES, SSE_AND_SSE2};
use super::{masked, timed};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    timed("BR_BAC_MISSP_EXEC", 0x8A, 0b11, 3000),
    timed("BR_CALL_EXEC", 0x92, 0b11, 3000),
    timed("BR_CALL_MISSP_EXEC", 0x93, 0b11, 3000),
    timed("BR_CND_EXEC", 0x8B, 0b11, 3000),
    timed("BR_CND_MISSP_EXEC", 0x8C, 0b11, 3000),
    timed("BR_IND_CALL_EXEC", 0x94, 0b11, 3000),
    timed("BR_IND_EXEC", 0x8D, 0b11, 3000),
    timed("BR_IND_MISSP_EXEC", 0x8E, 0b11, 3000),
    timed("BR_INST_EXEC", 0x88, 0b11, 3000),
    timed("BR_MISSP_EXEC", 0x89, 0b11, 3000),
    timed("BR_RET_BAC_MISSP_EXEC", 0x91, 0b11, 3000),
    timed("BR_RET_EXEC", 0x8F, 0b11, 3000),
    timed("BR_RET_MISSP_EXEC", 0x90, 0b11, 3000),
    timed("EMON_ESP_UOPS", 0xD7, 0b11, 3000),
    masked("EMON_EST_TRANS", 0x58, 0b11, 3000, FREQUENCY),
    masked("EMON_FUSED_UOPS_RET", 0xDA, 0b11, 3000, FUSED),
    masked("EMON_KNI_PREF_DISPATCHED", 0x07, 0b11, 500, PREFETCHES),
    masked("EMON_KNI_PREF_MISS", 0x4B, 0b11, 500, PREFETCHES),
    timed("EMON_PREF_RQSTS_DN", 0xF8, 0b11, 3000),
    timed("EMON_PREF_RQSTS_UP", 0xF0, 0b11, 3000),
    timed("EMON_SIMD_INSTR_RETIRED", 0xCE, 0b11, 3000),
    masked("EMON_SSE_SSE2_COMP_INST_RETIRED", 0xD9, 0b11, 3000, SSE_AND_SSE2),
    masked("EMON_SSE_SSE2_INST_RETIRED", 0xD8, 0b11, 3000, SSE_AND_SSE2),
    timed("EMON_SYNCH_UOPS", 0xD3, 0b11, 3000),
    timed("EMON_THERMAL_TRIP", 0x59, 0b11, 3000),
    timed("EMON_UNFUSION", 0xDB, 0b11, 3000),
    masked("L2_LD", 0x29, 0b11, 500, LOADS),
    masked("L2_LINES_IN", 0x24, 0b11, 500, LINES),
    masked("L2_LINES_OUT", 0x26, 0b11, 500, LINES),
    masked("L2_M_LINES_OUTM", 0x27, 0b11, 500, LINES),
];
