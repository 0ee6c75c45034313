//! A counter that a session reads.

use crate::arch::aarch64::Index;
use crate::counter::CounterId;

/// A counter, ready to be read: its number or, of the upper half of a pair, 64 more, which no
/// counter's is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handle(u8);

impl Handle {
    const PAIR: u8 = 64;

    #[inline(always)]
    pub(super) const fn new(counter: CounterId, is_pair: bool) -> Self {
        Self(counter.number() | if is_pair { Self::PAIR } else { 0 })
    }

    /// The counter, if it is read by itself.
    #[inline(always)]
    pub(super) const fn single(self) -> Option<Index> {
        match CounterId::new(self.0) {
            Some(counter) => Some(Index::of(counter)),
            None => None,
        }
    }

    /// The upper half, if it is a pair.
    pub(super) const fn upper(self) -> CounterId {
        match CounterId::new(self.0 & !Self::PAIR) {
            Some(counter) => counter,
            None => CounterId::ZERO,
        }
    }
}
