//! The ring that passes samples from the interrupt to the only reader.
//!
//! The interrupt writes and one reader reads. Neither waits for the other. When the ring is full the newest
//! sample is lost, and [`Lost`](super::Lost) counts it.

use crate::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use crate::sync::atomic::{AtomicBool, AtomicUsize};

use super::{Interrupted, Label, Losses, Sample, SampleStatistics, Samples, SessionId};
use crate::event::{CounterId, Error, Mode, Result};
use crate::sync::{Cell, Word};

/// A sample in two words: the address, and the rest. The ring's head and tail say who may use it.
#[derive(Debug)]
struct Entry {
    address: Cell,
    rest: Cell,
}

impl Entry {
    const fn empty() -> Self {
        Self { address: Cell::new(0), rest: Cell::new(0) }
    }
}

/// The numbers of the samples of one interrupt. The number of a sample is how many came before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) first: u64,
    /// The number after the last.
    pub(crate) end: u64,
}

impl Numbers {
    #[inline(always)]
    pub(crate) const fn count(self) -> u64 {
        self.end.wrapping_sub(self.first)
    }

    pub(crate) const fn has(self, number: u64) -> bool {
        number.wrapping_sub(self.first) < self.count()
    }

    /// Returns true if all of them come after this number.
    pub(crate) const fn comes_after(self, number: u64) -> bool {
        number.wrapping_sub(self.first) > u64::MAX / 2
    }
}

/// The bits of an entry's second word: counter 0-7, mode 8-15, session 16-31, thread 32-63.
const MODE_SHIFT: u32 = 8;

/// The ring that passes samples from the interrupt to the only reader.
pub(crate) struct Ring<const N: usize> {
    /// The number of samples that were ever written. Only the interrupt writes it.
    head: Word,
    /// The number of samples that were ever read, modulo 2^bits. Only the reader writes it.
    tail: AtomicUsize,
    reading: AtomicBool,
    entries: [Entry; N],
}

impl<const N: usize> Ring<N> {
    pub(crate) const fn new() -> Self {
        const { assert!(N == 0 || N.is_power_of_two(), "a ring's size is 0 or a power of two") };
        Self {
            head: Word::new(0),
            tail: AtomicUsize::new(0),
            reading: AtomicBool::new(false),
            entries: [const { Entry::empty() }; N],
        }
    }

    /// Begins to write the samples of one interrupt.
    #[inline(always)]
    pub(crate) fn writer<'r>(&'r self, at: Interrupted, losses: &'r Losses) -> Writer<'r, N> {
        let head = self.head.get();
        Writer {
            ring: self,
            losses,
            first: head,
            head,
            full: self.tail.load(Acquire).wrapping_add(N),
            address: at.address,
            mode: (at.mode as u64) << MODE_SHIFT,
            thread: u64::from(at.thread) << Label::THREAD_SHIFT,
        }
    }

    /// Creates the reader. Fails if there already is one.
    pub(crate) fn reader<'r>(&'r self, losses: &'r Losses) -> Result<Samples<'r, N>> {
        if self.reading.swap(true, AcqRel) {
            return Err(Error::ReaderTaken);
        }
        Ok(Samples::new(self, losses))
    }

    /// Returns how many samples wait to be read.
    ///
    /// The tail is read first: a head that has advanced since makes the number larger, but never larger than `N`.
    pub(crate) fn waiting(&self) -> usize {
        let tail = self.tail.load(Acquire);
        (self.head.observe() as usize).wrapping_sub(tail).min(N)
    }

    pub(crate) fn statistics(&self, losses: &Losses) -> SampleStatistics {
        let waiting = self.waiting();
        SampleStatistics { received: self.head.observe(), waiting, lost: losses.summary() }
    }

    /// Returns how many samples were ever written.
    pub(super) fn received(&self) -> u64 {
        self.head.observe()
    }

    /// Takes the oldest sample, with its number. Only the reader calls it.
    pub(super) fn take(&self) -> Option<(u64, Sample)> {
        let (tail, head) = (self.tail.load(Relaxed), self.head.observe());
        let waiting = (head as usize).wrapping_sub(tail);
        if waiting == 0 {
            return None;
        }
        let entry = self.entry(tail)?;
        let sample = unpack(entry.address.get(), entry.rest.get());
        self.tail.store(tail.wrapping_add(1), Release);
        Some((head.wrapping_sub(waiting as u64), sample?))
    }

    /// Removes all samples. Only the reader calls it.
    pub(super) fn empty(&self) {
        self.tail.store(self.head.observe() as usize, Release);
    }

    /// Lets another reader be created.
    pub(super) fn release_reader(&self) {
        self.reading.store(false, Release);
    }

    #[inline(always)]
    fn entry(&self, number: usize) -> Option<&Entry> {
        self.entries.get(number & N.wrapping_sub(1))
    }
}

/// Writes the samples of one interrupt. They become visible together.
pub(crate) struct Writer<'r, const N: usize> {
    ring: &'r Ring<N>,
    losses: &'r Losses,
    first: u64,
    head: u64,
    /// The head at which the ring is full, modulo 2^bits.
    full: usize,
    /// What was interrupted, as samples have it.
    address: u64,
    mode: u64,
    thread: u64,
}

impl<const N: usize> Writer<'_, N> {
    #[inline(always)]
    pub(crate) fn write(&mut self, label: Label) {
        match self.ring.entry(self.head as usize) {
            Some(entry) if self.head as usize != self.full => {
                entry.address.set(self.address);
                entry.rest.set(label.sample(self.mode, self.thread));
                self.head = self.head.wrapping_add(1);
            }
            _ => self.count_lost(),
        }
    }

    #[cold]
    fn count_lost(&self) {
        self.losses.ring_full.add(1);
    }

    /// Returns the numbers of the samples that were written so far.
    #[inline(always)]
    pub(crate) const fn numbers(&self) -> Numbers {
        Numbers { first: self.first, end: self.head }
    }

    #[inline(always)]
    pub(crate) fn publish(self) {
        self.ring.head.publish(self.head);
    }
}

fn unpack(address: u64, rest: u64) -> Option<Sample> {
    let mode = match (rest >> MODE_SHIFT) as u8 {
        0 => Mode::User,
        1 => Mode::Kernel,
        _ => Mode::Hypervisor,
    };
    let session = SessionId((rest >> Label::SESSION_SHIFT) as u16);
    Some(Sample {
        address,
        counter: CounterId::new(rest as u8)?,
        session,
        mode,
        thread: (rest >> Label::THREAD_SHIFT) as u32,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Lost;
    use super::*;

    fn interrupt<const N: usize>(ring: &Ring<N>, losses: &Losses, address: u64, counters: &[u8]) {
        let mut writer = ring.writer(Interrupted::new(address, Mode::Kernel).in_thread(7), losses);
        for &number in counters {
            writer.write(Label::new(CounterId::new(number).unwrap(), SessionId(9)));
        }
        writer.publish();
    }

    #[test]
    fn samples_come_out_as_they_went_in() {
        let (ring, losses) = (Ring::<4>::new(), Losses::none());
        interrupt(&ring, &losses, 0x1000, &[2, 63]);
        let read: Vec<_> = ring.reader(&losses).unwrap().collect();
        let expected = [2, 63].map(|number| Sample {
            address: 0x1000,
            counter: CounterId::new(number).unwrap(),
            session: SessionId(9),
            mode: Mode::Kernel,
            thread: 7,
        });
        assert_eq!(read, expected);
    }

    #[test]
    fn a_full_ring_keeps_the_oldest_and_counts_the_loss() {
        let (ring, losses) = (Ring::<2>::new(), Losses::none());
        for address in 0..5 {
            interrupt(&ring, &losses, address, &[0]);
        }
        let mut reader = ring.reader(&losses).unwrap();
        assert_eq!(reader.by_ref().map(|sample| sample.address).collect::<Vec<_>>(), [0, 1]);
        assert_eq!((reader.received(), reader.lost().ring_full), (2, 3));
    }

    #[test]
    fn a_ring_of_no_size_loses_everything_and_says_so() {
        let (ring, losses) = (Ring::<0>::new(), Losses::none());
        interrupt(&ring, &losses, 1, &[0, 1]);
        let mut reader = ring.reader(&losses).unwrap();
        assert_eq!((reader.next(), reader.lost().total()), (None, 2));
    }

    #[test]
    fn samples_that_are_discarded_make_room() {
        let (ring, losses) = (Ring::<2>::new(), Losses::none());
        let mut reader = ring.reader(&losses).unwrap();
        for address in 0..10 {
            interrupt(&ring, &losses, address, &[0]);
            reader.discard();
        }
        assert_eq!((reader.next(), reader.received(), reader.lost().total()), (None, 10, 0));
    }

    #[test]
    fn what_waits_is_known_before_the_ring_is_full_and_after() {
        let (ring, losses) = (Ring::<4>::new(), Losses::none());
        let waiting = [0, 1, 2, 3, 4, 5].map(|address| {
            interrupt(&ring, &losses, address, &[0]);
            ring.waiting()
        });
        assert_eq!(waiting, [1, 2, 3, 4, 4, 4]);
        ring.reader(&losses).unwrap().next();
        assert_eq!(
            ring.statistics(&losses).to_string(),
            "4 received, 3 waiting, 2 lost (2 ring full, 0 outrun, 0 stopped, 0 throttled)"
        );
        ring.reader(&losses).unwrap().discard();
        assert_eq!(ring.waiting(), 0);
    }

    #[test]
    fn nothing_waits_in_a_ring_of_no_size() {
        let (ring, losses) = (Ring::<0>::new(), Losses::none());
        interrupt(&ring, &losses, 1, &[0, 1]);
        assert_eq!((ring.waiting(), ring.statistics(&losses).lost.ring_full), (0, 2));
    }

    #[test]
    fn there_is_one_reader_at_a_time() {
        let (ring, losses) = (Ring::<2>::new(), Losses::none());
        let first = ring.reader(&losses).unwrap();
        assert_eq!(ring.reader(&losses).err(), Some(Error::ReaderTaken));
        drop(first);
        assert!(ring.reader(&losses).is_ok());
    }

    #[test]
    fn the_ring_goes_round_without_losing_its_place() {
        let (ring, losses) = (Ring::<4>::new(), Losses::none());
        let mut reader = ring.reader(&losses).unwrap();
        for address in 0..1000 {
            interrupt(&ring, &losses, address, &[1]);
            assert_eq!(reader.next().map(|sample| sample.address), Some(address));
        }
        assert_eq!(reader.lost(), Lost::default());
    }
}
