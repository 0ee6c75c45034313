//! The state that a claim saves and a release restores.

use super::spr::COUNTERS;
use super::words::Held;
use crate::sync::Cell;

/// The contents of every register of the unit except those of the last sample.
#[derive(Debug)]
pub struct Saved {
    pub(super) controls: Held,
    pub(super) counters: [Cell; COUNTERS as usize],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self { controls: Held::nothing(), counters: [const { Cell::new(0) }; COUNTERS as usize] }
    }
}
