//! Pairs samples with their chains.

use core::fmt;

use super::{Chain, ChainStatistics, Chains};
use crate::sample::{Sample, Samples};

/// The only reader of a unit's samples and of their chains: an iterator over those that are there now, the
/// oldest first. A sample has no chain if the ring of chains was full.
///
/// It may be used on another CPU than the unit's. When it is dropped, other readers can be created.
pub struct Chained<'c, const DEPTH: usize, const N: usize, const SAMPLES: usize> {
    chains: &'c Chains<DEPTH, N>,
    samples: Samples<'c, SAMPLES>,
}

impl<'c, const DEPTH: usize, const N: usize, const SAMPLES: usize> Chained<'c, DEPTH, N, SAMPLES> {
    pub(super) const fn new(chains: &'c Chains<DEPTH, N>, samples: Samples<'c, SAMPLES>) -> Self {
        Self { chains, samples }
    }

    /// Returns the reader of the samples, for its statistics. A sample that is read from it is read without its
    /// chain.
    pub const fn samples(&mut self) -> &mut Samples<'c, SAMPLES> {
        &mut self.samples
    }

    /// Returns the statistics of the chains.
    #[must_use]
    pub fn statistics(&self) -> ChainStatistics {
        self.chains.statistics()
    }
}

impl<const DEPTH: usize, const N: usize, const SAMPLES: usize> Iterator for Chained<'_, DEPTH, N, SAMPLES> {
    type Item = (Sample, Option<Chain<DEPTH>>);

    fn next(&mut self) -> Option<Self::Item> {
        let (number, sample) = self.samples.next_numbered()?;
        Some((sample, self.chains.chain_of(number)))
    }
}

impl<const DEPTH: usize, const N: usize, const SAMPLES: usize> Drop for Chained<'_, DEPTH, N, SAMPLES> {
    fn drop(&mut self) {
        self.chains.release_reader();
    }
}

impl<const DEPTH: usize, const N: usize, const SAMPLES: usize> fmt::Debug for Chained<'_, DEPTH, N, SAMPLES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chained").field("samples", &self.samples).field("chains", &self.statistics()).finish()
    }
}
