//! The events of family 0Fh that its relative does not have or has with another code, by name.
//!
//! Sources: those of the [common](super::common) events, events/x86-64/hammer.

use super::super::{bitmask, mask, masked, timed};
use crate::event::catalogue::{NamedEvent, UnitMasks};

pub(super) const EVENTS: &[NamedEvent] = &[
    timed("RETIRED_CLFLUSH_INSTRUCTIONS", 0x26, 0b1111, 500),
    timed("RETIRED_CPUID_INSTRUCTIONS", 0x27, 0b1111, 500),
    masked("SYSTEM_READ_RESPONSES", 0x6C, 0b1111, 500, SYSTEMREADRESPONSE),
];

const SYSTEMREADRESPONSE: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
