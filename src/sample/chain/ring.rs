//! The chains of a unit's samples, and how many there were.

use core::fmt;

use super::{Broken, Callers, Chain, Chained, End};
use crate::event::Result;
use crate::sample::lists::{Entry, Lists};
use crate::sample::{Numbers, Samples};
use crate::sync::Word;

/// Converts an end to a number.
const fn code(end: End) -> u16 {
    match end {
        End::Outermost => 0,
        End::Cut => 1,
        End::Aborted(broken) => 2 + broken as u16,
    }
}

const fn end(code: u16) -> End {
    match code {
        0 => End::Outermost,
        1 => End::Cut,
        2 => End::Aborted(Broken::Unreadable),
        3 => End::Aborted(Broken::Misaligned),
        4 => End::Aborted(Broken::Outside),
        _ => End::Aborted(Broken::Inwards),
    }
}

/// The chains of the samples of one unit or of one [`Timer`](crate::Timer). It has room for `N` chains (0 or a
/// power of two) of up to `DEPTH` callers, 8 bytes for each caller and 16 more.
///
/// It can be created in a constant, and must be used with only one unit, because chains identify their
/// samples by number.
pub struct Chains<const DEPTH: usize, const N: usize> {
    lists: Lists<1, DEPTH, N>,
    /// The statistics. Only the interrupt writes them.
    cut: Word,
    aborted: Word,
}

impl<const DEPTH: usize, const N: usize> Default for Chains<DEPTH, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const DEPTH: usize, const N: usize> Chains<DEPTH, N> {
    /// Creates an empty ring.
    #[must_use]
    pub const fn new() -> Self {
        Self { lists: Lists::new(), cut: Word::new(0), aborted: Word::new(0) }
    }

    /// Calls `walk` to find the callers for these samples of an interrupt, which are not published yet.
    #[inline(always)]
    pub(crate) fn follow(&self, samples: Numbers, walk: impl FnOnce(&mut Callers<'_>) -> Result<(), Broken>) {
        self.lists.add(samples, |places| {
            let mut callers = Callers::new(places.as_flattened());
            let walked = walk(&mut callers);
            let end = callers.end(walked);
            self.count_end(end);
            (callers.len(), code(end))
        });
    }

    #[inline(always)]
    fn count_end(&self, end: End) {
        match end {
            End::Outermost => {}
            End::Cut => self.cut.add(1),
            End::Aborted(_) => self.aborted.add(1),
        }
    }

    /// Creates a reader of samples with their chains. It may be called on any CPU.
    ///
    /// # Errors
    /// Returns [`Error::ReaderTaken`](crate::Error::ReaderTaken) while there is another reader of the chains. `samples` is
    /// dropped then.
    pub fn pair<'c, const SAMPLES: usize>(
        &'c self,
        samples: Samples<'c, SAMPLES>,
    ) -> Result<Chained<'c, DEPTH, N, SAMPLES>> {
        self.lists.reserve_reader()?;
        Ok(Chained::new(self, samples))
    }

    /// Lets another reader be created.
    pub(super) fn release_reader(&self) {
        self.lists.release_reader();
    }

    /// Returns the chain of a sample by the sample's number, if it was kept. Only the reader calls it, for all
    /// samples in order. Chains of earlier samples are removed.
    pub(super) fn chain_of(&self, sample: u64) -> Option<Chain<DEPTH>> {
        self.lists.of_sample(sample, chain)
    }

    /// Returns the statistics of the chains. It may be called while there is a reader.
    #[must_use]
    pub fn statistics(&self) -> ChainStatistics {
        let Self { lists, cut, aborted } = self;
        let waiting = lists.waiting();
        let (kept, cut, aborted) = (lists.kept(), cut.get(), aborted.get());
        ChainStatistics { kept, waiting, cut, aborted, ring_full: lists.lost() }
    }
}

/// Returns the chain that an entry has.
fn chain<const DEPTH: usize>(entry: &Entry<1, DEPTH>) -> Chain<DEPTH> {
    let places = entry.items();
    let callers = core::array::from_fn(|number| places.get(number).map_or(0, |[caller]| caller.get()));
    Chain { callers, length: places.len(), end: end(entry.tag()) }
}

impl<const DEPTH: usize, const N: usize> fmt::Debug for Chains<DEPTH, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chains").field("statistics", &self.statistics()).finish_non_exhaustive()
    }
}

/// How many chains were kept and lost since the ring was created. An interrupt that leaves several samples has
/// one chain for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ChainStatistics {
    /// The chains that were kept, whether read or not.
    pub kept: u64,
    /// The chains that wait to be read.
    pub waiting: usize,
    /// The chains that were kept but have more callers than there was room for.
    pub cut: u64,
    /// The chains that were kept but whose walk was aborted.
    pub aborted: u64,
    /// The chains that were lost because the ring was full. Their samples are kept nevertheless.
    pub ring_full: u64,
}

impl fmt::Display for ChainStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kept, waiting, cut, aborted, ring_full } = self;
        write!(f, "{kept} kept ({cut} cut, {aborted} aborted), {waiting} waiting, {ring_full} lost (ring full)")
    }
}
