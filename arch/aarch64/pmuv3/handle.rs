//! The handle by which a session reads a counter.

use crate::arch::aarch64::Index;
use crate::event::CounterId;

/// The handle of a counter: its number, or for a pair the number of the upper half plus 64, which no counter has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handle(u8);

impl Handle {
    const PAIR: u8 = 64;

    #[inline(always)]
    pub(super) const fn new(counter: CounterId, is_pair: bool) -> Self {
        Self(counter.number() | if is_pair { Self::PAIR } else { 0 })
    }

    /// Returns the counter, if it is not a pair.
    #[inline(always)]
    pub(super) const fn single(self) -> Option<Index> {
        match CounterId::new(self.0) {
            Some(counter) => Some(Index::of(counter)),
            None => None,
        }
    }

    /// Returns the upper half of a pair.
    pub(super) const fn upper(self) -> CounterId {
        match CounterId::new(self.0 & !Self::PAIR) {
            Some(counter) => counter,
            None => CounterId::ZERO,
        }
    }
}
