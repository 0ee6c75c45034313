//! What the unit held before it was claimed.

use super::auxiliary::Beside;
use crate::arch::x86::Msr;
use crate::sync::Word;

/// What every register of the unit held, and the line's entry.
///
/// Some processors cannot restore everything. Where general counters take only 32 bits, a value is sign-extended
/// from those. Before version 4 no overflow can be set, so one that was pending is lost.
#[derive(Debug)]
pub struct Saved {
    pub(super) line: Word,
    pub(super) status: Word,
    /// The selectors, and the global control.
    pub(super) controls: [Word; Self::CONTROLS],
    /// The counters, the control of the fixed ones, and the auxiliary registers.
    pub(super) others: [Word; Self::OTHERS],
}

impl Saved {
    const CONTROLS: usize = Msr::GENERAL as usize + 1;
    const OTHERS: usize = Msr::GENERAL as usize + Msr::FIXED as usize + 1 + Beside::COUNT;

    pub(super) const fn nothing() -> Self {
        Self {
            line: Word::new(0),
            status: Word::new(0),
            controls: [const { Word::new(0) }; Self::CONTROLS],
            others: [const { Word::new(0) }; Self::OTHERS],
        }
    }
}
