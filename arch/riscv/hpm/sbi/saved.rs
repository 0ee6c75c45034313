//! The state that a claim saves and a release restores.

use super::asked::COUNTERS;
use crate::sync::Cell;

/// Which counters ran, the values of all, and which of them user programs could read.
#[derive(Debug)]
pub struct Saved {
    pub(super) ran: Cell,
    pub(super) enable: Cell,
    pub(super) readable: Cell,
    pub(super) values: [Cell; COUNTERS],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            ran: Cell::new(0),
            enable: Cell::new(0),
            readable: Cell::new(0),
            values: [const { Cell::new(0) }; COUNTERS],
        }
    }
}
