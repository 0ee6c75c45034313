//! What a walk writes to: the callers of one sample, from the innermost outwards.
//!
//! Part of the interrupt path: nothing here allocates, locks or panics.

use super::{Broken, End};
use crate::word::Cell;

/// The callers of the code that was interrupted, as they are found.
#[derive(Debug)]
pub struct Callers<'c> {
    places: &'c [Cell],
    length: usize,
    is_cut: bool,
}

impl<'c> Callers<'c> {
    #[inline(always)]
    pub(super) const fn new(places: &'c [Cell]) -> Self {
        Self { places, length: 0, is_cut: false }
    }

    /// The next caller outwards: the address that its call returns to.
    ///
    /// False if there is no room for it: the walk need go no further, and the chain will say that it
    /// was cut.
    #[inline(always)]
    pub fn push(&mut self, address: u64) -> bool {
        match self.places.get(self.length) {
            Some(place) => {
                place.set(address);
                self.length += 1;
            }
            None => self.is_cut = true,
        }
        !self.is_cut
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Is there none?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Where the chain ends, now that the walk has.
    #[inline(always)]
    pub(super) const fn end(&self, walked: Result<(), Broken>) -> End {
        match walked {
            _ if self.is_cut => End::Cut,
            Err(broken) => End::Aborted(broken),
            Ok(()) => End::Outermost,
        }
    }
}
