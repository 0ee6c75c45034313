//! What the unit held before it was claimed.

use crate::arch::x86::Msr;
use crate::sync::Word;

/// What every register of the driver's counters held, and the line's entry.
#[derive(Debug)]
pub struct Saved {
    pub(super) line: Word,
    pub(super) cccrs: [Word; Msr::CCCRS as usize],
    pub(super) counters: [Word; Msr::CCCRS as usize],
    pub(super) escrs: [Word; Msr::ESCRS as usize],
    /// IA32_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT.
    pub(super) replay: [Word; 2],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            line: Word::new(0),
            cccrs: [const { Word::new(0) }; Msr::CCCRS as usize],
            counters: [const { Word::new(0) }; Msr::CCCRS as usize],
            escrs: [const { Word::new(0) }; Msr::ESCRS as usize],
            replay: [const { Word::new(0) }; 2],
        }
    }
}
