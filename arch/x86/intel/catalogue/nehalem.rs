//! The events of Nehalem, of which Westmere has most.

mod common;
pub(super) mod offcore;
pub(super) mod shared;
mod two_sockets;

use crate::event::catalogue::{NamedEvent, merged};

static LISTED: [NamedEvent; shared::EVENTS.len() + offcore::EVENTS.len()] = merged(shared::EVENTS, offcore::EVENTS);

/// For many sockets.
pub(super) static MANY_SOCKETS: [NamedEvent; LISTED.len() + common::EVENTS.len()] = merged(&LISTED, common::EVENTS);
/// For one and two sockets.
pub(super) static TWO_SOCKETS: [NamedEvent; MANY_SOCKETS.len() + two_sockets::EVENTS.len()] =
    merged(&MANY_SOCKETS, two_sockets::EVENTS);
