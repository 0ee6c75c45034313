//! The state that a claim saves and a release restores.

use crate::sync::Cell;

/// Whether the interrupt was enabled, and which counters user programs could read.
#[derive(Debug)]
pub struct Saved {
    pub(super) enable: Cell,
    pub(super) readable: Cell,
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self { enable: Cell::new(0), readable: Cell::new(0) }
    }
}
