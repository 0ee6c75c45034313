//! Counts the samples that were received, and those that were lost, by cause.

use core::fmt;

use crate::sync::Word;

/// The overflows that left no sample, by cause. Their events are counted nevertheless.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Lost {
    /// The ring was full.
    pub ring_full: u64,
    /// Another period had passed before the interrupt was handled.
    pub outrun: u64,
    /// The session was stopped before the interrupt came.
    pub stopped: u64,
    /// The kernel's interrupt entry took more than an eighth of the period, so that the period was doubled, as often as it
    /// took; its end left one sample.
    pub throttled: u64,
}

impl Lost {
    /// Returns the sum.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.ring_full.wrapping_add(self.outrun).wrapping_add(self.stopped).wrapping_add(self.throttled)
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ring_full, outrun, stopped, throttled } = self;
        write!(f, "{ring_full} ring full, {outrun} outrun, {stopped} stopped, {throttled} throttled")
    }
}

/// How many of the overflows that should leave a sample did, since the unit was created.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct SampleStatistics {
    /// The samples that were written, whether read or not.
    pub received: u64,
    /// The samples that wait to be read.
    pub waiting: usize,
    /// The overflows that left no sample.
    pub lost: Lost,
}

impl fmt::Display for SampleStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { received, waiting, lost } = self;
        write!(f, "{received} received, {waiting} waiting, {} lost ({lost})", lost.total())
    }
}

/// The counters behind [`Lost`]. Only the interrupt writes the first. A stop may write the others, and be
/// interrupted.
#[derive(Debug)]
pub(crate) struct Losses {
    pub(crate) ring_full: Word,
    pub(crate) outrun: Word,
    pub(crate) stopped: Word,
    pub(crate) throttled: Word,
}

impl Losses {
    pub(crate) const fn none() -> Self {
        Self { ring_full: Word::new(0), outrun: Word::new(0), stopped: Word::new(0), throttled: Word::new(0) }
    }

    pub(super) fn summary(&self) -> Lost {
        Lost {
            ring_full: self.ring_full.get(),
            outrun: self.outrun.get(),
            stopped: self.stopped.get(),
            throttled: self.throttled.get(),
        }
    }
}
