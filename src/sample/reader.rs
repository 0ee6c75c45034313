//! The one reader of a unit's samples.

use core::fmt;

use super::{Losses, Lost, Ring, Sample, SampleStatistics};

/// The one reader of a unit's samples: an iterator over what is there now, the oldest first.
///
/// It may be used on another CPU than the unit's. Dropping it lets another reader begin.
pub struct Samples<'u, const N: usize> {
    ring: &'u Ring<N>,
    losses: &'u Losses,
}

impl<'u, const N: usize> Samples<'u, N> {
    /// Of a ring that nobody else reads.
    pub(super) const fn new(ring: &'u Ring<N>, losses: &'u Losses) -> Self {
        Self { ring, losses }
    }

    /// How many overflows left no sample since the unit was made, by cause.
    #[must_use]
    pub fn lost(&self) -> Lost {
        self.losses.summary()
    }

    /// Forgets the samples that are there now.
    pub fn discard(&mut self) {
        self.ring.empty();
    }

    /// The next sample, and how many there were before it.
    pub(crate) fn next_numbered(&mut self) -> Option<(u64, Sample)> {
        self.ring.take()
    }

    /// What was received, and what was lost.
    #[must_use]
    pub fn statistics(&self) -> SampleStatistics {
        self.ring.statistics(self.losses)
    }

    /// How many samples were written since the unit was made, read or not.
    #[must_use]
    pub fn received(&self) -> u64 {
        self.ring.received()
    }
}

impl<const N: usize> Iterator for Samples<'_, N> {
    type Item = Sample;

    fn next(&mut self) -> Option<Sample> {
        self.next_numbered().map(|(_, sample)| sample)
    }
}

impl<const N: usize> Drop for Samples<'_, N> {
    fn drop(&mut self) {
        self.ring.leave();
    }
}

impl<const N: usize> fmt::Debug for Samples<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples").field("received", &self.received()).field("lost", &self.lost()).finish()
    }
}
