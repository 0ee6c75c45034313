//! The kit: what processors' families have alike, for their drivers to import.

mod image;
mod kept;
mod period;
mod placing;
mod saved;

pub(crate) use image::Selections;
pub(crate) use kept::check_kept;
pub(crate) use period::{Rate, Shortest};
pub(crate) use placing::place_each;
pub(crate) use saved::Saved;
