//! The state that a claim saves and a release restores.

use super::registers::COUNTERS;
use crate::sync::Cell;

/// The saved contents of every register that the driver writes.
#[derive(Debug)]
pub struct Saved {
    pub(super) hypervisor: Cell,
    pub(super) control: Cell,
    pub(super) enabled: Cell,
    pub(super) interrupting: Cell,
    pub(super) overflowed: Cell,
    pub(super) user_enable: Cell,
    pub(super) user_access: Cell,
    /// Each counter, and its selection.
    pub(super) counters: [(Cell, Cell); COUNTERS],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            hypervisor: Cell::new(0),
            control: Cell::new(0),
            enabled: Cell::new(0),
            interrupting: Cell::new(0),
            overflowed: Cell::new(0),
            user_enable: Cell::new(0),
            user_access: Cell::new(0),
            counters: [const { (Cell::new(0), Cell::new(0)) }; COUNTERS],
        }
    }
}
