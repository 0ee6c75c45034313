//! The ring that passes lists, which belong to samples, from the interrupt to the only reader.
//!
//! The interrupt writes a list before it publishes the samples that the list belongs to, so whoever sees a
//! sample also sees its list. A list contains the numbers of its samples, counted since the unit was created.
//! When the ring is full the list is lost, and its samples are kept.
//!
//! The records of a sampler are lists that belong to no sample: each has its own number, and they are taken one after the other.

use crate::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use crate::sync::atomic::{AtomicBool, AtomicUsize};

use super::Numbers;
use crate::event::{Error, Result};
use crate::sync::{Cell, Word};

/// A list of up to `DEPTH` items of `WORDS` words, and the numbers of its samples. The ring's head and tail say who may use it.
pub(crate) struct Entry<const WORDS: usize, const DEPTH: usize> {
    /// The number of the first sample.
    first: Cell,
    /// The number of items, bits 0-15; a tag of the list, 16-31; the number of samples, 32-63.
    rest: Cell,
    items: [[Cell; WORDS]; DEPTH],
}

impl<const WORDS: usize, const DEPTH: usize> Entry<WORDS, DEPTH> {
    const fn empty() -> Self {
        Self { first: Cell::new(0), rest: Cell::new(0), items: [const { [const { Cell::new(0) }; WORDS] }; DEPTH] }
    }

    #[inline(always)]
    fn write(&self, samples: Numbers, length: usize, tag: u16) {
        self.first.set(samples.first);
        self.rest.set(length as u64 | (tag as u64) << 16 | samples.count() << 32);
    }

    fn samples(&self) -> Numbers {
        let first = self.first.get();
        Numbers { first, end: first.wrapping_add(self.rest.get() >> 32) }
    }

    /// Returns the items.
    pub(crate) fn items(&self) -> &[[Cell; WORDS]] {
        self.items.get(..usize::from(self.rest.get() as u16)).unwrap_or(&self.items)
    }

    /// Returns what the list was tagged with.
    pub(crate) fn tag(&self) -> u16 {
        (self.rest.get() >> 16) as u16
    }
}

/// The ring, with room for `N` lists (0 or a power of two).
pub(crate) struct Lists<const WORDS: usize, const DEPTH: usize, const N: usize> {
    /// The number of lists that were ever written. Only the interrupt writes it.
    head: Word,
    /// The number of lists that were ever read, modulo 2^bits. Only the reader writes it.
    tail: AtomicUsize,
    reading: AtomicBool,
    /// The lists that were lost because the ring was full. Only the interrupt writes it.
    ring_full: Word,
    entries: [Entry<WORDS, DEPTH>; N],
}

impl<const WORDS: usize, const DEPTH: usize, const N: usize> Lists<WORDS, DEPTH, N> {
    pub(crate) const fn new() -> Self {
        const { assert!(N == 0 || N.is_power_of_two(), "a ring's size is 0 or a power of two") };
        const { assert!(DEPTH <= u16::MAX as usize, "a list has no more than 65,535 items") };
        Self {
            head: Word::new(0),
            tail: AtomicUsize::new(0),
            reading: AtomicBool::new(false),
            ring_full: Word::new(0),
            entries: [const { Entry::empty() }; N],
        }
    }

    /// Adds the list of these samples of an interrupt, which are not published yet. `fill` writes the items, and returns how
    /// many there are and the list's tag. It is called if there are samples and room for their list.
    #[inline(always)]
    pub(crate) fn add(&self, samples: Numbers, fill: impl FnOnce(&[[Cell; WORDS]]) -> (usize, u16)) {
        if samples.count() == 0 {
            return;
        }
        let head = self.head.get();
        let full = self.tail.load(Acquire).wrapping_add(N);
        match self.entry(head as usize) {
            Some(entry) if head as usize != full => {
                let (length, tag) = fill(&entry.items);
                entry.write(samples, length, tag);
                self.head.publish(head.wrapping_add(1));
            }
            _ => self.ring_full.add(1),
        }
    }

    #[inline(always)]
    fn entry(&self, number: usize) -> Option<&Entry<WORDS, DEPTH>> {
        self.entries.get(number & N.wrapping_sub(1))
    }

    /// Reserves the lists for one reader.
    pub(crate) fn reserve_reader(&self) -> Result<()> {
        if self.reading.swap(true, AcqRel) { Err(Error::ReaderTaken) } else { Ok(()) }
    }

    /// Lets another reader be created.
    pub(crate) fn release_reader(&self) {
        self.reading.store(false, Release);
    }

    /// Returns what `read` makes of the list of a sample, by the sample's number, if the list was kept. Only the reader calls
    /// it, for all samples in order. Lists of earlier samples are removed.
    pub(crate) fn of_sample<T>(&self, sample: u64, read: impl FnOnce(&Entry<WORDS, DEPTH>) -> T) -> Option<T> {
        let mut tail = self.tail.load(Relaxed);
        while tail != self.head.observe() as usize {
            let entry = self.entry(tail)?;
            let samples = entry.samples();
            if samples.comes_after(sample) {
                return None;
            }
            if samples.has(sample) {
                let result = read(entry);
                if !samples.has(sample.wrapping_add(1)) {
                    self.tail.store(tail.wrapping_add(1), Release);
                }
                return Some(result);
            }
            tail = tail.wrapping_add(1);
            self.tail.store(tail, Release);
        }
        None
    }

    /// Returns what `read` makes of the oldest list, and removes it. Only the reader calls it.
    pub(crate) fn take<T>(&self, read: impl FnOnce(&Entry<WORDS, DEPTH>) -> T) -> Option<T> {
        let tail = self.tail.load(Relaxed);
        if tail == self.head.observe() as usize {
            return None;
        }
        let result = read(self.entry(tail)?);
        self.tail.store(tail.wrapping_add(1), Release);
        Some(result)
    }

    /// Returns how many lists were kept, whether read or not.
    pub(crate) fn kept(&self) -> u64 {
        self.head.observe()
    }

    /// Returns how many lists wait to be read. The tail is read first.
    pub(crate) fn waiting(&self) -> usize {
        let tail = self.tail.load(Acquire);
        (self.kept() as usize).wrapping_sub(tail).min(N)
    }

    /// Returns how many lists were lost because the ring was full.
    pub(crate) fn lost(&self) -> u64 {
        self.ring_full.get()
    }
}
