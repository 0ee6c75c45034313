//! What the unit held before it was claimed.

use crate::arch::x86::Block;
use crate::sync::Cell;

const COUNTERS: usize = Block::Core.counters() as usize;

/// What every register of the unit held, and the line's entry.
#[derive(Debug)]
pub struct Saved {
    pub(super) line: Cell,
    pub(super) status: Cell,
    /// The selectors, and the global control.
    pub(super) controls: [Cell; COUNTERS + 1],
    pub(super) counters: [Cell; COUNTERS],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            line: Cell::new(0),
            status: Cell::new(0),
            controls: [const { Cell::new(0) }; COUNTERS + 1],
            counters: [const { Cell::new(0) }; COUNTERS],
        }
    }
}
