//! The callers of one sample, as a walk finds them from the innermost outwards.
//!
//! This is part of the interrupt path: it does not allocate, lock or panic.

use super::{Broken, End};
use crate::sync::Cell;

/// The callers of the interrupted code that were found so far.
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

    /// Adds the next caller outwards: the return address of its call.
    ///
    /// Returns false if there is no room. The walk can stop then, and the chain will say that it was cut.
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

    /// Returns the number of callers.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Returns true if there are no callers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns how the chain ends after a walk with this result.
    #[inline(always)]
    pub(super) const fn end(&self, walked: Result<(), Broken>) -> End {
        match walked {
            _ if self.is_cut => End::Cut,
            Err(broken) => End::Aborted(broken),
            Ok(()) => End::Outermost,
        }
    }
}
