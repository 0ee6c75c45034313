//! The events of Crestmont.

mod client;
mod common;
mod edge;
mod low_power;
mod server;

use crate::event::catalogue::{NamedEvent, merged};

/// In Meteor Lake and Arrow Lake-U.
pub(super) static CLIENT: [NamedEvent; common::EVENTS.len() + client::EVENTS.len()] =
    merged(common::EVENTS, client::EVENTS);
/// In Arrow Lake-H.
pub(super) static LOW_POWER: [NamedEvent; common::EVENTS.len() + low_power::EVENTS.len()] =
    merged(common::EVENTS, low_power::EVENTS);
/// In Sierra Forest.
pub(super) static SERVER: [NamedEvent; common::EVENTS.len() + server::EVENTS.len()] =
    merged(common::EVENTS, server::EVENTS);
/// In Grand Ridge.
pub(super) static EDGE: [NamedEvent; common::EVENTS.len() + edge::EVENTS.len()] = merged(common::EVENTS, edge::EVENTS);
