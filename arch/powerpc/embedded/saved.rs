//! What the unit held before it was claimed.

use crate::arch::powerpc::Pmr;
use crate::sync::Word;

const COUNTERS: usize = Pmr::COUNTERS as usize;

/// Every register of the unit. A pending overflow is in its counter's top bit, and comes back with it.
#[derive(Debug)]
pub struct Saved {
    pub(super) global: Word,
    pub(super) locals: [Word; COUNTERS],
    pub(super) thresholds: [Word; COUNTERS],
    pub(super) counters: [Word; COUNTERS],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self {
            global: Word::new(0),
            locals: [const { Word::new(0) }; COUNTERS],
            thresholds: [const { Word::new(0) }; COUNTERS],
            counters: [const { Word::new(0) }; COUNTERS],
        }
    }
}
