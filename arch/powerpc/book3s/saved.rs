//! What the unit held before it was claimed.

use super::spr::COUNTERS;
use super::words::Held;
use crate::sync::Word;

/// Every register of the unit except those of the last sample.
#[derive(Debug)]
pub struct Saved {
    pub(super) controls: Held,
    pub(super) counters: [Word; COUNTERS as usize],
}

impl Saved {
    pub(super) const fn nothing() -> Self {
        Self { controls: Held::nothing(), counters: [const { Word::new(0) }; COUNTERS as usize] }
    }
}
