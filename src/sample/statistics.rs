//! What became of the overflows that were to leave a sample: received, or lost, by cause.

use core::fmt;

use crate::word::Word;

/// Overflows that left no sample, by cause. Their events are counted all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lost {
    /// The ring was full.
    pub ring_full: u64,
    /// A further period had passed before the interrupt was serviced.
    pub outrun: u64,
    /// The session was stopped while the interrupt was on its way.
    pub stopped: u64,
}

impl Lost {
    /// All of them.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.ring_full.wrapping_add(self.outrun).wrapping_add(self.stopped)
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ring full, {} outrun, {} stopped", self.ring_full, self.outrun, self.stopped)
    }
}

/// What became of the overflows that were to leave a sample, since the unit was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct SampleStatistics {
    /// Samples that were written, read or not.
    pub received: u64,
    /// Of those, the ones that wait to be read.
    pub waiting: usize,
    /// Overflows that left none.
    pub lost: Lost,
}

impl fmt::Display for SampleStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { received, waiting, lost } = self;
        write!(f, "{received} received, {waiting} waiting, {} lost ({lost})", lost.total())
    }
}

/// What [`Lost`] is kept in. The interrupt writes the first; a stop may write the others, with an
/// interrupt amid it.
#[derive(Debug)]
pub(crate) struct Losses {
    pub(crate) ring_full: Word,
    pub(crate) outrun: Word,
    pub(crate) stopped: Word,
}

impl Losses {
    pub(crate) const fn none() -> Self {
        Self { ring_full: Word::new(0), outrun: Word::new(0), stopped: Word::new(0) }
    }

    pub(super) fn summary(&self) -> Lost {
        Lost { ring_full: self.ring_full.get(), outrun: self.outrun.get(), stopped: self.stopped.get() }
    }
}
