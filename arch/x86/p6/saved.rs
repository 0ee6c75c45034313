//! What the unit held before it was claimed.

use crate::sync::Cell;

/// What every register of the unit held, and the line's entry.
#[derive(Debug)]
pub struct Saved {
    pub(super) line: Cell,
    /// The selectors, counter 1's first: it is written before the enable bit.
    pub(super) controls: [Cell; 2],
    pub(super) counters: [Cell; 2],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self { line: Cell::new(0), controls: [const { Cell::new(0) }; 2], counters: [const { Cell::new(0) }; 2] }
    }
}
