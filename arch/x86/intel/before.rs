//! What the unit held before it was claimed: the words in which that is kept.

use super::auxiliary::Beside;
use crate::arch::x86::Msr;
use crate::arch::x86::all::Kept;
use crate::sync::Word;

pub(super) const GENERAL: usize = Msr::GENERAL as usize;
pub(super) const FIXED: usize = Msr::FIXED as usize;

/// Every register that the unit has, and the line's entry.
///
/// Two things cannot be put back on every processor: where general counters take only 32 bits, a
/// value comes back sign-extended from those; and before version 4 no overflow can be set, so
/// that one which was pending is forgotten.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) line: Word,
    pub(super) selects: Kept<GENERAL>,
    pub(super) general: Kept<GENERAL>,
    pub(super) fixed: Kept<FIXED>,
    pub(super) fixed_control: Word,
    pub(super) global_control: Word,
    pub(super) status: Word,
    pub(super) besides: Kept<{ Beside::COUNT }>,
}

impl Before {
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

    /// What a register beside the counters held.
    pub(super) const fn beside(&self, beside: Beside) -> &Word {
        &self.besides.words()[beside as usize]
    }
}
