//! The events of Ice Lake up to Rocket Lake.

mod client;
mod common;
mod server;
mod tiger_lake;

use crate::event::catalogue::{NamedEvent, merged};

/// In clients, Rocket Lake among them.
pub(super) static CLIENT: [NamedEvent; common::EVENTS.len() + client::EVENTS.len()] =
    merged(common::EVENTS, client::EVENTS);
/// In servers.
pub(super) static SERVER: [NamedEvent; common::EVENTS.len() + server::EVENTS.len()] =
    merged(common::EVENTS, server::EVENTS);
/// In Tiger Lake.
pub(super) static TIGER_LAKE: [NamedEvent; common::EVENTS.len() + tiger_lake::EVENTS.len()] =
    merged(common::EVENTS, tiger_lake::EVENTS);
