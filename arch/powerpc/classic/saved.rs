//! The state that a claim saves and a release restores.

use crate::sync::Cell;

/// The contents of every counter and control register. A pending overflow is in its counter's top bit, and is
/// restored with it.
#[derive(Debug)]
pub struct Saved {
    pub(super) control: Cell,
    pub(super) selects: Cell,
    pub(super) extension: Cell,
    pub(super) counters: [Cell; 8],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            control: Cell::new(0),
            selects: Cell::new(0),
            extension: Cell::new(0),
            counters: [const { Cell::new(0) }; 8],
        }
    }
}
