//! The state that a claim saves and a release restores.

use crate::arch::riscv::Csr;
use crate::sync::Cell;

const COUNTERS: usize = Csr::COUNTERS as usize;

/// The contents of every register of the unit, with what it has pending, and which counters lower modes can read.
#[derive(Debug)]
pub struct Saved {
    pub(super) inhibit: Cell,
    pub(super) pending: Cell,
    pub(super) enable: Cell,
    /// mcounterinten, on T-Head's and Andes'.
    pub(super) interrupting: Cell,
    pub(super) readable: Cell,
    /// mcountermask_m, _s and _u, on Andes'.
    pub(super) masks: [Cell; 3],
    pub(super) selects: [Cell; COUNTERS],
    pub(super) counters: [Cell; COUNTERS],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            inhibit: Cell::new(0),
            pending: Cell::new(0),
            enable: Cell::new(0),
            interrupting: Cell::new(0),
            readable: Cell::new(0),
            masks: [const { Cell::new(0) }; 3],
            selects: [const { Cell::new(0) }; COUNTERS],
            counters: [const { Cell::new(0) }; COUNTERS],
        }
    }
}
