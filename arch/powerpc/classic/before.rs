//! What the unit held before it was claimed: the words in which that is kept.

use crate::sync::Word;

/// Every register that counts or says how. An overflow that is pending is in its counter's top bit,
/// and comes back with it.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) control: Word,
    pub(super) selects: Word,
    pub(super) extension: Word,
    pub(super) counters: [Word; 8],
}

impl Before {
    pub(super) const fn nothing() -> Self {
        Self {
            control: Word::new(0),
            selects: Word::new(0),
            extension: Word::new(0),
            counters: [const { Word::new(0) }; 8],
        }
    }
}
