//! What the unit held before it was claimed.

use crate::sync::Word;

/// Every register that counts or says what counts. A pending overflow is in its counter's top bit, and comes
/// back with it.
#[derive(Debug)]
pub struct Saved {
    pub(super) control: Word,
    pub(super) selects: Word,
    pub(super) extension: Word,
    pub(super) counters: [Word; 8],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            control: Word::new(0),
            selects: Word::new(0),
            extension: Word::new(0),
            counters: [const { Word::new(0) }; 8],
        }
    }
}
