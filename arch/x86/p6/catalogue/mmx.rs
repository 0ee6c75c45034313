//! The events that came with MMX, by name: from the Pentium II on.
//!
//! Sources: SDM vol. 3, table "Events That Can Be Counted with the P6 Family Performance-Monitoring Counters"; libpfm4,
//! lib/events/intel_pii_events.h, intel_p6_events.h and intel_pm_events.h (MIT); shortest periods as in OProfile,
//! events/i386/pii/events. libpfm has the events of segment registers for the
//! Pentium III and the Pentium M, OProfile not.

use super::masks::{MMX_TRANSITIONS, MMX_TYPES, MMX_UOPS, SEGMENTS};
use super::{masked, timed};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    masked("FP_MMX_TRANS", 0xCC, 0b11, 3000, MMX_TRANSITIONS),
    timed("MMX_ASSIST", 0xCD, 0b11, 500),
    timed("MMX_INSTR_RET", 0xCE, 0b11, 3000),
    masked("MMX_INSTR_TYPE_EXEC", 0xB3, 0b11, 3000, MMX_TYPES),
    timed("MMX_SAT_INSTR_EXEC", 0xB1, 0b11, 3000),
    masked("MMX_UOPS_EXEC", 0xB2, 0b11, 3000, MMX_UOPS),
    timed("RET_SEG_RENAMES", 0xD6, 0b11, 500),
    masked("SEG_REG_RENAMES", 0xD5, 0b11, 500, SEGMENTS),
    masked("SEG_RENAME_STALLS", 0xD4, 0b11, 500, SEGMENTS),
];

/// An event of the Pentium II alone.
pub(super) const OF_PENTIUM_II: &[NamedEvent] = &[timed("MMX_INSTR_EXEC", 0xB0, 0b11, 3000)];
