//! What the unit held before it was claimed.

use crate::arch::x86::Block;
use crate::sync::Word;

const COUNTERS: usize = Block::Core.counters() as usize;

/// What every register of the unit held, and the line's entry.
#[derive(Debug)]
pub struct Saved {
    pub(super) line: Word,
    pub(super) status: Word,
    /// The selectors, and the global control.
    pub(super) controls: [Word; COUNTERS + 1],
    pub(super) counters: [Word; COUNTERS],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            line: Word::new(0),
            status: Word::new(0),
            controls: [const { Word::new(0) }; COUNTERS + 1],
            counters: [const { Word::new(0) }; COUNTERS],
        }
    }
}
