//! The events of Goldmont.

mod common;
mod first;
mod plus;

use crate::event::catalogue::{NamedEvent, merged};

/// As it was first.
pub(super) static FIRST: [NamedEvent; common::EVENTS.len() + first::EVENTS.len()] =
    merged(common::EVENTS, first::EVENTS);
/// As Goldmont Plus.
pub(super) static PLUS: [NamedEvent; common::EVENTS.len() + plus::EVENTS.len()] = merged(common::EVENTS, plus::EVENTS);
