//! What the unit held before it was claimed.

use crate::sync::Word;

/// What every register of the unit held, and the line's entry.
#[derive(Debug)]
pub struct Saved {
    pub(super) line: Word,
    /// The selectors, counter 1's first: it is written before the enable bit.
    pub(super) controls: [Word; 2],
    pub(super) counters: [Word; 2],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self { line: Word::new(0), controls: [const { Word::new(0) }; 2], counters: [const { Word::new(0) }; 2] }
    }
}
