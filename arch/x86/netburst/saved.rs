//! What the unit held before it was claimed.

use crate::arch::x86::Msr;
use crate::sync::Cell;

/// What every register of the driver's counters held, and the line's entry.
#[derive(Debug)]
pub struct Saved {
    pub(super) line: Cell,
    pub(super) cccrs: [Cell; Msr::CCCRS as usize],
    pub(super) counters: [Cell; Msr::CCCRS as usize],
    pub(super) escrs: [Cell; Msr::ESCRS as usize],
    /// IA32_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT.
    pub(super) replay: [Cell; 2],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            line: Cell::new(0),
            cccrs: [const { Cell::new(0) }; Msr::CCCRS as usize],
            counters: [const { Cell::new(0) }; Msr::CCCRS as usize],
            escrs: [const { Cell::new(0) }; Msr::ESCRS as usize],
            replay: [const { Cell::new(0) }; 2],
        }
    }
}
