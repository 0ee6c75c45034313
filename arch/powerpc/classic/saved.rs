//! What the unit held before it was claimed.

use crate::sync::Cell;

/// Every register that counts or says what counts. A pending overflow is in its counter's top bit, and comes
/// back with it.
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
