//! The ring between the interrupt that finds chains and the one reader.
//!
//! The interrupt writes a chain before it publishes the samples that it belongs to: whoever sees a
//! sample sees its chain too. A chain knows its samples by their numbers, counted since the unit
//! was made.

use crate::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use core::fmt;

use super::{Broken, Callers, Chain, Chained, End};
use crate::error::{Error, Result};
use crate::sample::{Numbers, Samples};
use crate::word::{Cell, Word};

/// A chain, and the samples that it belongs to. The ring's ends say who may use it.
#[derive(Debug)]
struct Entry<const DEPTH: usize> {
    /// The number of the first sample.
    first: Cell,
    /// How many callers, bits 0-15; the end, 16-31; how many samples, 32-63.
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
        Numbers { first, behind: first.wrapping_add(self.rest.get() >> 32) }
    }

    fn chain(&self) -> Chain<DEPTH> {
        let rest = self.rest.get();
        let callers = core::array::from_fn(|number| self.callers.get(number).map_or(0, Cell::get));
        Chain { callers, length: usize::from(rest as u16), end: end((rest >> 16) as u16) }
    }
}

/// An end as a number.
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

/// The chains of one unit's samples, or of one [`Timer`](crate::Timer)'s: room for `N` (0, or a
/// power of two) of up to `DEPTH` callers each, 8 bytes a caller and 16 more.
///
/// It can be made in a constant, as the unit, and is of use to that one unit only: chains know
/// their samples by number.
pub struct Chains<const DEPTH: usize, const N: usize> {
    /// How many chains were ever written; only the interrupt writes it.
    head: Word,
    /// How many were ever read, modulo what it can hold; only the reader writes it.
    tail: AtomicUsize,
    reading: AtomicBool,
    /// What became of them; only the interrupt writes these.
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
    /// No chains yet.
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

    /// The interrupt has these samples, which are not published yet: has `walk` find who called.
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
                self.tally(end);
                self.head.publish(head.wrapping_add(1));
            }
            _ => self.ring_full.add(1),
        }
    }

    #[inline(always)]
    fn tally(&self, end: End) {
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

    /// Reads samples with their chains. May be called on any CPU.
    ///
    /// # Errors
    /// [`Error::ReaderTaken`] while another reader of the chains is alive; the samples' is dropped.
    pub fn pair<'c, const SAMPLES: usize>(
        &'c self,
        samples: Samples<'c, SAMPLES>,
    ) -> Result<Chained<'c, DEPTH, N, SAMPLES>> {
        if self.reading.swap(true, AcqRel) {
            return Err(Error::ReaderTaken);
        }
        Ok(Chained::new(self, samples))
    }

    /// The reader is done.
    pub(super) fn leave(&self) {
        self.reading.store(false, Release);
    }

    /// The chain of the sample with this number, if it was kept; only the reader asks, for each
    /// sample's in turn. Chains of samples before it are forgotten.
    pub(super) fn chain_of(&self, sample: u64) -> Option<Chain<DEPTH>> {
        let mut tail = self.tail.load(Relaxed);
        while tail != self.head.observe() as usize {
            let entry = self.entry(tail)?;
            let samples = entry.samples();
            if samples.is_behind(sample) {
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

    /// What became of the chains; the reader need not be free.
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

/// What became of the chains of samples, since the ring was made. An interrupt that leaves several
/// samples has one chain for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ChainStatistics {
    /// Chains that were kept, read or not.
    pub kept: u64,
    /// Of those, the ones that wait to be read.
    pub waiting: usize,
    /// Of those that were kept, the ones with more callers than there was room for.
    pub cut: u64,
    /// Of those that were kept, the ones whose walk was given up.
    pub aborted: u64,
    /// Chains that were lost, because the ring was full. Their samples are kept all the same.
    pub ring_full: u64,
}

impl fmt::Display for ChainStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kept, waiting, cut, aborted, ring_full } = self;
        write!(f, "{kept} kept ({cut} cut, {aborted} aborted), {waiting} waiting, {ring_full} lost (ring full)")
    }
}
