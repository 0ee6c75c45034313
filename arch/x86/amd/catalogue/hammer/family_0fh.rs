//! The events that family 0Fh has otherwise than its relative by name.
//!
//! Sources: as of those that they have [alike](super::common), events/x86-64/hammer.

use super::super::{bitmask, mask, masked, timed};
use crate::catalogue::{NamedEvent, UnitMasks};

pub(super) const EVENTS: &[NamedEvent] = &[
    timed("RETIRED_CLFLUSH_INSTRUCTIONS", 0x26, 0b1111, 500),
    timed("RETIRED_CPUID_INSTRUCTIONS", 0x27, 0b1111, 500),
    masked("SYSTEM_READ_RESPONSES", 0x6C, 0b1111, 500, SYSTEMREADRESPONSE),
];

const SYSTEMREADRESPONSE: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
