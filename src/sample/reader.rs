//! The one reader of a unit's samples.

use core::fmt;

use super::{Losses, Lost, Ring, Sample, SampleStatistics};

/// The only reader of a unit's samples: an iterator over the samples that are there now, the oldest first. They are those
/// of every session and thread that samples on the unit, and a sample that was read is removed.
///
/// It may be used on another CPU than the unit's. When it is dropped, another reader can be created.
pub struct Samples<'u, const N: usize> {
    ring: &'u Ring<N>,
    losses: &'u Losses,
}

impl<'u, const N: usize> Samples<'u, N> {
    /// Creates the reader of a ring. The caller has made sure that there is no other.
    pub(super) const fn new(ring: &'u Ring<N>, losses: &'u Losses) -> Self {
        Self { ring, losses }
    }

    /// Returns how many overflows left no sample since the unit was created, by cause. They are those of every session and
    /// thread, and no claim or stop clears them: what one session has lost is the difference of two calls.
    #[must_use]
    pub fn lost(&self) -> Lost {
        self.losses.summary()
    }

    /// Removes the samples that are there now.
    pub fn discard(&mut self) {
        self.ring.empty();
    }

    /// Returns the next sample, and the number of samples before it.
    pub(crate) fn next_numbered(&mut self) -> Option<(u64, Sample)> {
        self.ring.take()
    }

    /// Returns how many samples were received and lost since the unit was created. As with [`lost`](Self::lost), those of one
    /// session are the difference of two calls.
    #[must_use]
    pub fn statistics(&self) -> SampleStatistics {
        self.ring.statistics(self.losses)
    }

    /// Returns how many samples were written since the unit was created, whether read or not.
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
        self.ring.release_reader();
    }
}

impl<const N: usize> fmt::Debug for Samples<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples").field("received", &self.received()).field("lost", &self.lost()).finish()
    }
}
