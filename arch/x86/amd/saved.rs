//! What the unit held before it was claimed.

use crate::arch::x86::Block;
use crate::arch::x86::all::Kept;
use crate::sync::Word;

const COUNTERS: usize = Block::Core.counters() as usize;

/// What every register of the unit held, and the line's entry.
#[derive(Debug)]
pub struct Saved {
    pub(super) line: Word,
    pub(super) selects: Kept<COUNTERS>,
    pub(super) counters: Kept<COUNTERS>,
    pub(super) control: Word,
    pub(super) status: Word,
}

impl Saved {
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
