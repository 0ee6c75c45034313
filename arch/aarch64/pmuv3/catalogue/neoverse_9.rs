//! The events of Neoverse N2 and V2 by name, in addition to those that the larger Armv9 cores have in common.
//!
//! Source: ARM-software/data, pmu/neoverse-n2.json and neoverse-v2.json (Apache-2.0): names and numbers.

use super::{LARGE_9, event};
use crate::event::catalogue::{NamedEvent, merged};

pub(super) static EVENTS: [NamedEvent; LARGE_9.len() + OWN.len()] = merged(&LARGE_9, OWN);

const OWN: &[NamedEvent] = &[
    event("SAMPLE_COLLISION", 0x4003),
    event("SAMPLE_FEED", 0x4001),
    event("SAMPLE_FILTRATE", 0x4002),
    event("SAMPLE_POP", 0x4000),
];
