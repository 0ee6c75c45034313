//! What the unit held before it was claimed: the words in which that is kept.

use crate::arch::powerpc::Pmr;
use crate::sync::Word;

pub(super) const COUNTERS: usize = Pmr::COUNTERS as usize;

/// Every register that the unit has. An overflow that is pending is in its counter's top bit, and
/// comes back with it.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) global: Word,
    pub(super) locals: [Word; COUNTERS],
    pub(super) thresholds: [Word; COUNTERS],
    pub(super) counters: [Word; COUNTERS],
}

impl Before {
    pub(super) const fn nothing() -> Self {
        Self {
            global: Word::new(0),
            locals: [const { Word::new(0) }; COUNTERS],
            thresholds: [const { Word::new(0) }; COUNTERS],
            counters: [const { Word::new(0) }; COUNTERS],
        }
    }
}
