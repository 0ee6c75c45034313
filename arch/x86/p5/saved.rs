//! What the unit held before it was claimed.

use crate::sync::Word;

/// What every register of the unit held.
#[derive(Debug)]
pub struct Saved {
    pub(super) control: Word,
    pub(super) counters: [Word; 2],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self { control: Word::new(0), counters: [const { Word::new(0) }; 2] }
    }
}
