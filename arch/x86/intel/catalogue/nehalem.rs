//! The events of Nehalem.

mod common;
mod two_sockets;

use crate::catalogue::{NamedEvent, merged};

/// For one and two sockets.
pub(super) static TWO_SOCKETS: [NamedEvent; common::EVENTS.len() + two_sockets::EVENTS.len()] =
    merged(common::EVENTS, two_sockets::EVENTS);
/// For many sockets.
pub(super) static MANY_SOCKETS: &[NamedEvent] = common::EVENTS;
