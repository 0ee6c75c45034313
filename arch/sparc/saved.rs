//! The state that a claim saves and a release restores.

use crate::sync::Cell;

/// The contents of both registers. An overflow that is pending in %pcr is restored with it; what is pending in SOFTINT is
/// the kernel's.
#[derive(Debug)]
pub struct Saved {
    pub(super) control: Cell,
    pub(super) counters: Cell,
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self { control: Cell::new(0), counters: Cell::new(0) }
    }
}
