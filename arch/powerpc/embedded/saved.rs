//! The state that a claim saves and a release restores.

use crate::arch::powerpc::Pmr;
use crate::sync::Cell;

const COUNTERS: usize = Pmr::COUNTERS as usize;

/// The contents of every register of the unit. A pending overflow is in its counter's top bit, and is restored with it.
#[derive(Debug)]
pub struct Saved {
    pub(super) global: Cell,
    pub(super) locals: [Cell; COUNTERS],
    pub(super) thresholds: [Cell; COUNTERS],
    pub(super) counters: [Cell; COUNTERS],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            global: Cell::new(0),
            locals: [const { Cell::new(0) }; COUNTERS],
            thresholds: [const { Cell::new(0) }; COUNTERS],
            counters: [const { Cell::new(0) }; COUNTERS],
        }
    }
}
