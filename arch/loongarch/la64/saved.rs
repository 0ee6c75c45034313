//! The state that a claim saves and a release restores.

use crate::arch::loongarch::Register;
use crate::sync::Cell;

const COUNTERS: usize = Register::COUNTERS as usize;

/// The contents of every register of the unit. A pending overflow is in its counter's top bit, and is restored with it.
#[derive(Debug)]
pub struct Saved {
    pub(super) controls: [Cell; COUNTERS],
    pub(super) counters: [Cell; COUNTERS],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self { controls: [const { Cell::new(0) }; COUNTERS], counters: [const { Cell::new(0) }; COUNTERS] }
    }
}
