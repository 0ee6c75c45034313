//! The events that have the same codes on all AMD processors up to family 16h, by name: all known names
//! of the last.
//!
//! Source: BKDG 48751, "Performance Counter Events"; names and shortest periods as OProfile has them
//! for the families before, events/x86-64/family10/events.

use super::timed;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    timed("CPU_CLK_UNHALTED", 0x76, 0b1111, 50000),
    timed("RETIRED_BRANCH_INSTRUCTIONS", 0xC2, 0b1111, 500),
    timed("RETIRED_INSTRUCTIONS", 0xC0, 0b1111, 50000),
    timed("RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", 0xC3, 0b1111, 500),
    timed("RETIRED_TAKEN_BRANCH_INSTRUCTIONS", 0xC4, 0b1111, 500),
    timed("RETIRED_UOPS", 0xC1, 0b1111, 50000),
];
