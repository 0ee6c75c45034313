//! The events of Lion Cove.

mod arrow_lake;
mod common;
mod lunar_lake;

use crate::event::catalogue::{NamedEvent, merged};

/// In Arrow Lake.
pub(super) static ARROW_LAKE: [NamedEvent; common::EVENTS.len() + arrow_lake::EVENTS.len()] =
    merged(common::EVENTS, arrow_lake::EVENTS);
/// In Lunar Lake.
pub(super) static LUNAR_LAKE: [NamedEvent; common::EVENTS.len() + lunar_lake::EVENTS.len()] =
    merged(common::EVENTS, lunar_lake::EVENTS);
