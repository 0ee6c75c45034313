//! The records of one sampler: a ring that its interrupt fills and one reader empties, and whose interrupt it was.
//!
//! The interrupt copies register words into the ring, and the reader decodes them. What the interrupt alone knows stands before
//! them. A stop takes in a record that is there by itself, unless an interrupt has done so meanwhile: a thread and an interrupt
//! never both have one, so the ring has one writer at a time. An interrupt may still come after the stop, and is claimed once.

use core::fmt;

use super::Handled;
use super::counting::Expected;
use crate::contract::{Registers, Sampler};
use crate::event::{Mode, Record, Request, Result};
use crate::sample::lists::{Entry, Lists};
use crate::sample::{Interrupted, Lost, Numbers, SampleStatistics};
use crate::sync::Word;

/// The interrupt touches no register, takes records in, and does so while a stop goes on.
const STOPPED: u64 = 0;
const RUNNING: u64 = 1;
const STOPPING: u64 = 2;

/// The words before a sampler's own: where the interrupt came, who was interrupted, and the time.
const HEADER: usize = 3;
/// Who was interrupted: the thread, bits 0-31; the mode, 32-39; and whether an interrupt took the record in, 40.
const MODE_SHIFT: u32 = 32;
const BY_INTERRUPT: u64 = 1 << 40;

/// The records of one CPU's sampler. It has room for `N` records (0 or a power of two) of up to `WORDS` words, the sampler's and
/// three more: 11 of [`ibs::Op`](crate::arch::x86::amd::ibs::Op), 6 of
/// [`ibs::Fetch`](crate::arch::x86::amd::ibs::Fetch), 10 of [`Pebs`](crate::arch::x86::intel::pebs::Pebs). Less is an error of
/// compilation.
///
/// It can be created in a constant, and MUST be used with one sampler of one CPU only. When it is full the newest record is
/// lost, and counted.
///
/// All but [`Records::read`] and [`Records::statistics`] MUST be called on the sampler's CPU.
///
/// # Threads
///
/// A kernel that samples one thread calls [`Records::stop`] when it switches the thread out, keeps the program that it
/// returns, and passes that to [`Records::start`] when it switches the thread in, with interrupts off each time.
///
/// # The interrupt
///
/// The sampler's interrupt, usually an NMI, calls [`Records::on_interrupt`]. An NMI may stand for several: the handler asks the
/// unit's [`on_overflow`](crate::Unit::on_overflow) and every sampler each time, and the interrupt is nobody's if all say so. If
/// two of them had something at one NMI, a second NMI may be waiting already, of which all will say so: a kernel that panics at
/// an NMI of nobody's lets one pass after each such.
pub struct Records<const WORDS: usize, const N: usize> {
    /// Whether the interrupt may take records in: [`STOPPED`], [`RUNNING`] or [`STOPPING`]. Only threads write it.
    state: Word,
    expected: Expected,
    lists: Lists<1, WORDS, N>,
}

impl<const WORDS: usize, const N: usize> Default for Records<WORDS, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const WORDS: usize, const N: usize> Records<WORDS, N> {
    /// Creates an empty ring.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: Word::new(STOPPED), expected: Expected::none(), lists: Lists::new() }
    }

    /// Encodes a request for the sampler.
    ///
    /// # Errors
    /// Returns [`Error::Refused`](crate::Error::Refused) with what the sampler cannot do, and what it could instead. No register
    /// was written.
    pub fn encode<S: Sampler>(&self, sampler: &S, request: &Request) -> Result<S::Program> {
        sampler.encode(request).map_err(|reason| crate::Error::refused(0, request, reason))
    }

    /// Samples from now on. The sampler MUST be stopped, or the interrupt of a record that is there is nobody's. A program that
    /// [`Records::stop`] has returned goes on with the rest of its period.
    #[inline(always)]
    pub fn start<S: Sampler>(&self, sampler: &S, program: S::Program) {
        self.state.set(RUNNING);
        sampler.registers().fence();
        sampler.start(program);
    }

    /// Samples no more. A record that is there already is this thread's. Returns the program, for another start, or `None` if
    /// nothing was sampled.
    #[inline(always)]
    pub fn stop<S: Sampler>(&self, sampler: &S, thread: u32) -> Option<S::Program> {
        if self.state.get() == STOPPED {
            return None;
        }
        self.expected.expect(sampler.late(), 1, || sampler.registers().ticks());
        self.state.set(STOPPING);
        sampler.registers().fence();
        let (before, mut is_mine) = (self.taken(), false);
        let program = sampler.stop(|words| {
            is_mine = !S::SHARES_STOP || self.taken() == before;
            if is_mine {
                self.add(sampler, [0, thread.into()], words);
            }
        });
        sampler.registers().fence();
        self.state.set(STOPPED);
        let is_interrupts = S::SHARES_STOP && !is_mine && self.taken() != before;
        Some(if is_interrupts { sampler.with_whole_period(program) } else { program })
    }

    /// Returns how many records were taken in, kept or lost.
    #[inline(always)]
    fn taken(&self) -> u64 {
        self.lists.kept().wrapping_add(self.lists.lost())
    }

    /// The whole interrupt handler: a plain function, to be called from the kernel's NMI entry, or from the vector that it has
    /// chosen.
    #[inline(always)]
    pub fn on_interrupt<S: Sampler>(&self, sampler: &S, at: Interrupted) -> Handled {
        let who = u64::from(at.thread) | (at.mode as u64) << MODE_SHIFT | BY_INTERRUPT;
        let state = self.state.get();
        if state != STOPPED && sampler.take(|words| self.add(sampler, [at.address, who], words)) {
            if state == RUNNING {
                self.expected.forget();
            }
            Handled::Overflow
        } else if self.expected.claim(sampler.late(), || sampler.registers().ticks()) {
            sampler.rearm();
            Handled::Late
        } else {
            Handled::NotMine
        }
    }

    #[inline(always)]
    fn add<S: Sampler>(&self, sampler: &S, [address, who]: [u64; 2], words: &[u64]) {
        const { assert!(WORDS >= S::WORDS + HEADER, "a record has the sampler's words and three more") };
        let first = self.lists.kept();
        let header = [address, who, sampler.registers().clock()];
        self.lists.add(Numbers { first, end: first.wrapping_add(1) }, |places| {
            let all = header.iter().chain(words);
            places.iter().zip(all).for_each(|([place], &word)| place.set(word));
            (HEADER + words.len(), 0)
        });
    }

    /// Creates the only reader: an iterator over the records that are there now, the oldest first. A record that was read is
    /// removed. May be called on any CPU. When it is dropped, another reader can be created.
    ///
    /// # Errors
    /// Returns [`Error::ReaderTaken`](crate::Error::ReaderTaken) while another reader is alive.
    pub fn read<'r, S: Sampler>(
        &'r self,
        sampler: &'r S,
    ) -> Result<impl Iterator<Item = Record> + use<'r, S, WORDS, N>> {
        self.lists.reserve_reader()?;
        Ok(Reader { records: self, sampler })
    }

    /// Returns how many records were received and lost since the ring was created. May be called anywhere.
    #[must_use]
    pub fn statistics(&self) -> SampleStatistics {
        let (received, waiting) = (self.lists.kept(), self.lists.waiting());
        SampleStatistics { received, waiting, lost: Lost { ring_full: self.lists.lost(), ..Lost::default() } }
    }
}

impl<const WORDS: usize, const N: usize> fmt::Debug for Records<WORDS, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Records {{ {} }}", self.statistics())
    }
}

/// The only reader of a sampler's records.
struct Reader<'r, S, const WORDS: usize, const N: usize> {
    records: &'r Records<WORDS, N>,
    sampler: &'r S,
}

impl<S: Sampler, const WORDS: usize, const N: usize> Iterator for Reader<'_, S, WORDS, N> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        self.records.lists.take(|entry| decode(self.sampler, entry))
    }
}

impl<S, const WORDS: usize, const N: usize> Drop for Reader<'_, S, WORDS, N> {
    fn drop(&mut self) {
        self.records.lists.release_reader();
    }
}

fn decode<const WORDS: usize>(sampler: &impl Sampler, entry: &Entry<1, WORDS>) -> Record {
    let mut words = [0; WORDS];
    let items = entry.items();
    words.iter_mut().zip(items).for_each(|(word, [place])| *word = place.get());
    let Some(([address, who, time], own)) = words.get(..items.len()).and_then(|words| words.split_first_chunk()) else {
        return Record::default();
    };
    let mut record = sampler.decode(own);
    let is_by_interrupt = who & BY_INTERRUPT != 0;
    record.interrupted = is_by_interrupt.then_some(*address);
    record.mode = record.mode.or(is_by_interrupt.then_some(mode((who >> MODE_SHIFT) as u8)));
    record.thread = *who as u32;
    record.time = record.time.or((*time != 0).then_some(*time));
    record
}

const fn mode(number: u8) -> Mode {
    match number {
        0 => Mode::User,
        1 => Mode::Kernel,
        _ => Mode::Hypervisor,
    }
}
