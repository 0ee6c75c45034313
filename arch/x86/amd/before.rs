//! What the unit held before it was claimed: the words in which that is kept.

use crate::arch::x86::Block;
use crate::arch::x86::all::Kept;
use crate::sync::Word;

pub(super) const COUNTERS: usize = Block::Core.counters() as usize;

/// Every register that the unit has, and the line's entry.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) line: Word,
    pub(super) selects: Kept<COUNTERS>,
    pub(super) counters: Kept<COUNTERS>,
    pub(super) control: Word,
    pub(super) status: Word,
}

impl Before {
    pub(super) const fn nothing() -> Self {
        Self {
            line: Word::new(0),
            selects: Kept::nothing(),
            counters: Kept::nothing(),
            control: Word::new(0),
            status: Word::new(0),
        }
    }
}
