//! The events that family 11h has otherwise than its relative by name.
//!
//! Sources: as of those that they have [alike](super::common), events/x86-64/family11h.

use super::super::{bitmask, mask, masked, timed};
use crate::catalogue::{NamedEvent, UnitMasks};

pub(super) const EVENTS: &[NamedEvent] = &[
    timed("RETIRED_CFLUSH", 0x26, 0b1111, 500),
    timed("RETIRED_CPUID", 0x27, 0b1111, 500),
    masked("SYSTEM_READ_RESPONSES", 0x6C, 0b1111, 500, SYSTEMREADRESPONSE),
];

const SYSTEMREADRESPONSE: UnitMasks =
    bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08)]);
