//! The events of families 0Fh and 11h.

mod common;
mod family_0fh;
mod family_11h;

use crate::event::catalogue::{NamedEvent, merged};

/// Athlon 64 and Opteron.
pub(super) static FAMILY_0FH: [NamedEvent; common::EVENTS.len() + family_0fh::EVENTS.len()] =
    merged(common::EVENTS, family_0fh::EVENTS);
/// Turion X2 Ultra.
pub(super) static FAMILY_11H: [NamedEvent; common::EVENTS.len() + family_11h::EVENTS.len()] =
    merged(common::EVENTS, family_11h::EVENTS);
