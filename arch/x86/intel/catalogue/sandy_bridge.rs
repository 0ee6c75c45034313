//! The events of Sandy Bridge.

mod client;
mod common;
mod server;

use crate::event::catalogue::{NamedEvent, merged};

/// In clients.
pub(super) static CLIENT: [NamedEvent; common::EVENTS.len() + client::EVENTS.len()] =
    merged(common::EVENTS, client::EVENTS);
/// In servers.
pub(super) static SERVER: [NamedEvent; common::EVENTS.len() + server::EVENTS.len()] =
    merged(common::EVENTS, server::EVENTS);
