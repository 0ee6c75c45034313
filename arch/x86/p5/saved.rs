//! What the unit held before it was claimed.

use crate::sync::Cell;

/// What every register of the unit held.
#[derive(Debug)]
pub struct Saved {
    pub(super) control: Cell,
    pub(super) counters: [Cell; 2],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self { control: Cell::new(0), counters: [const { Cell::new(0) }; 2] }
    }
}
