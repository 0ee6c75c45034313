//! The events of Golden Cove.

mod client;
mod common;
mod sapphire_rapids;
mod server;

use crate::event::catalogue::{NamedEvent, merged};

/// In Alder Lake and Raptor Lake.
pub(super) static CLIENT: [NamedEvent; common::EVENTS.len() + client::EVENTS.len()] =
    merged(common::EVENTS, client::EVENTS);
/// In Emerald Rapids.
pub(super) static SERVER: [NamedEvent; common::EVENTS.len() + server::EVENTS.len()] =
    merged(common::EVENTS, server::EVENTS);
/// In Sapphire Rapids.
pub(super) static SAPPHIRE_RAPIDS: [NamedEvent; SERVER.len() + sapphire_rapids::EVENTS.len()] =
    merged(&SERVER, sapphire_rapids::EVENTS);
