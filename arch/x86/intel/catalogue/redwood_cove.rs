//! The events of Redwood Cove.

mod client;
mod common;
mod server;

use crate::event::catalogue::{NamedEvent, merged};

/// In Meteor Lake.
pub(super) static CLIENT: [NamedEvent; common::EVENTS.len() + client::EVENTS.len()] =
    merged(common::EVENTS, client::EVENTS);
/// In Granite Rapids.
pub(super) static SERVER: [NamedEvent; common::EVENTS.len() + server::EVENTS.len()] =
    merged(common::EVENTS, server::EVENTS);
