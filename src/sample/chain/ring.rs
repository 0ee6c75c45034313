//! The ring that passes chains from the interrupt to the only reader.
//!
//! The interrupt writes a chain before it publishes the samples that the chain belongs to, so whoever sees a
//! sample also sees its chain. A chain contains the numbers of its samples, counted since the unit was created.

use crate::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use crate::sync::atomic::{AtomicBool, AtomicUsize};
use core::fmt;

use super::{Broken, Callers, Chain, Chained, End};
use crate::event::{Error, Result};
use crate::sample::{Numbers, Samples};
use crate::sync::{Cell, Word};

/// A chain, and the numbers of its samples. The ring's head and tail say who may use it.
#[derive(Debug)]
struct Entry<const DEPTH: usize> {
    /// The number of the first sample.
    first: Cell,
    /// The number of callers, bits 0-15; the end, 16-31; the number of samples, 32-63.
    rest: Cell,
    callers: [Cell; DEPTH],
}

impl<const DEPTH: usize> Entry<DEPTH> {
    const fn empty() -> Self {
        Self { first: Cell::new(0), rest: Cell::new(0), callers: [const { Cell::new(0) }; DEPTH] }
    }

    #[inline(always)]
    fn write(&self, samples: Numbers, length: usize, end: End) {
        self.first.set(samples.first);
        self.rest.set(length as u64 | (code(end) as u64) << 16 | samples.count() << 32);
    }

    fn samples(&self) -> Numbers {
        let first = self.first.get();
        Numbers { first, end: first.wrapping_add(self.rest.get() >> 32) }
    }

    fn chain(&self) -> Chain<DEPTH> {
        let rest = self.rest.get();
        let callers = core::array::from_fn(|number| self.callers.get(number).map_or(0, Cell::get));
        Chain { callers, length: usize::from(rest as u16), end: end((rest >> 16) as u16) }
    }
}

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
    /// The number of chains that were ever written. Only the interrupt writes it.
    head: Word,
    /// The number of chains that were ever read, modulo 2^bits. Only the reader writes it.
    tail: AtomicUsize,
    reading: AtomicBool,
    /// The statistics. Only the interrupt writes them.
    cut: Word,
    aborted: Word,
    ring_full: Word,
    entries: [Entry<DEPTH>; N],
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
        const { assert!(N == 0 || N.is_power_of_two(), "a ring's size is 0 or a power of two") };
        const { assert!(DEPTH <= u16::MAX as usize, "a chain has no more than 65,535 callers") };
        Self {
            head: Word::new(0),
            tail: AtomicUsize::new(0),
            reading: AtomicBool::new(false),
            cut: Word::new(0),
            aborted: Word::new(0),
            ring_full: Word::new(0),
            entries: [const { Entry::empty() }; N],
        }
    }

    /// Calls `walk` to find the callers for these samples of an interrupt, which are not published yet.
    #[inline(always)]
    pub(crate) fn follow(&self, samples: Numbers, walk: impl FnOnce(&mut Callers<'_>) -> Result<(), Broken>) {
        if samples.count() == 0 {
            return;
        }
        let head = self.head.get();
        let full = self.tail.load(Acquire).wrapping_add(N);
        match self.entry(head as usize) {
            Some(entry) if head as usize != full => {
                let mut callers = Callers::new(&entry.callers);
                let walked = walk(&mut callers);
                let end = callers.end(walked);
                entry.write(samples, callers.len(), end);
                self.count_end(end);
                self.head.publish(head.wrapping_add(1));
            }
            _ => self.ring_full.add(1),
        }
    }

    #[inline(always)]
    fn count_end(&self, end: End) {
        match end {
            End::Outermost => {}
            End::Cut => self.cut.add(1),
            End::Aborted(_) => self.aborted.add(1),
        }
    }

    #[inline(always)]
    fn entry(&self, number: usize) -> Option<&Entry<DEPTH>> {
        self.entries.get(number & N.wrapping_sub(1))
    }

    /// Creates a reader of samples with their chains. It may be called on any CPU.
    ///
    /// # Errors
    /// Returns [`Error::ReaderTaken`] while there is another reader of the chains. `samples` is dropped then.
    pub fn pair<'c, const SAMPLES: usize>(
        &'c self,
        samples: Samples<'c, SAMPLES>,
    ) -> Result<Chained<'c, DEPTH, N, SAMPLES>> {
        if self.reading.swap(true, AcqRel) {
            return Err(Error::ReaderTaken);
        }
        Ok(Chained::new(self, samples))
    }

    /// Lets another reader be created.
    pub(super) fn release_reader(&self) {
        self.reading.store(false, Release);
    }

    /// Returns the chain of a sample by the sample's number, if it was kept. Only the reader calls it, for all
    /// samples in order. Chains of earlier samples are removed.
    pub(super) fn chain_of(&self, sample: u64) -> Option<Chain<DEPTH>> {
        let mut tail = self.tail.load(Relaxed);
        while tail != self.head.observe() as usize {
            let entry = self.entry(tail)?;
            let samples = entry.samples();
            if samples.comes_after(sample) {
                return None;
            }
            let chain = samples.has(sample).then(|| entry.chain());
            if !samples.has(sample.wrapping_add(1)) {
                tail = tail.wrapping_add(1);
                self.tail.store(tail, Release);
            }
            if chain.is_some() {
                return chain;
            }
        }
        None
    }

    /// Returns the statistics of the chains. It may be called while there is a reader.
    #[must_use]
    pub fn statistics(&self) -> ChainStatistics {
        let tail = self.tail.load(Acquire);
        let kept = self.head.observe();
        ChainStatistics {
            kept,
            waiting: (kept as usize).wrapping_sub(tail).min(N),
            cut: self.cut.get(),
            aborted: self.aborted.get(),
            ring_full: self.ring_full.get(),
        }
    }
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
