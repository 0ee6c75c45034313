//! What the unit held before it was claimed.

use super::auxiliary::Beside;
use crate::arch::x86::Msr;
use crate::arch::x86::all::Kept;
use crate::sync::Word;

const GENERAL: usize = Msr::GENERAL as usize;
const FIXED: usize = Msr::FIXED as usize;

/// What every register of the unit held, and the line's entry.
///
/// Some processors cannot restore everything. Where general counters take only 32 bits, a value is sign-extended
/// from those. Before version 4 no overflow can be set, so one that was pending is lost.
#[derive(Debug)]
pub struct Saved {
    pub(super) line: Word,
    pub(super) selects: Kept<GENERAL>,
    pub(super) general: Kept<GENERAL>,
    pub(super) fixed: Kept<FIXED>,
    pub(super) fixed_control: Word,
    pub(super) global_control: Word,
    pub(super) status: Word,
    besides: Kept<{ Beside::COUNT }>,
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            line: Word::new(0),
            selects: Kept::nothing(),
            general: Kept::nothing(),
            fixed: Kept::nothing(),
            fixed_control: Word::new(0),
            global_control: Word::new(0),
            status: Word::new(0),
            besides: Kept::nothing(),
        }
    }

    /// Returns the word for an auxiliary register.
    pub(super) const fn beside(&self, beside: Beside) -> &Word {
        &self.besides.words()[beside as usize]
    }
}
