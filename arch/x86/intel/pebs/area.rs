//! The kernel's memory: the debug store's management area, some words of the driver's own, and the records.
//!
//! Source: SDM vol. 3, figure "PEBS Programming Environment".

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use crate::event::{CounterId, Error, Result};

/// The words of the management area: where the records begin, where the next one goes, where they end, and where the interrupt
/// comes. Those before them are the branch trace store's.
pub(super) const BASE: usize = 4;
pub(super) const INDEX: usize = 5;
pub(super) const MAXIMUM: usize = 6;
pub(super) const THRESHOLD: usize = 7;
/// What counter 0 is reset to after a record; the other general counters follow, and then the fixed ones.
pub(super) const RESET: usize = 8;
const FIXED_RESET: usize = 16;

/// Returns the word that has a counter's reset value.
pub(super) const fn reset(counter: CounterId) -> usize {
    let number = counter.number() as usize;
    if number < 32 { RESET + (number & 7) } else { FIXED_RESET + (number & 15) }
}

/// Where the records are: behind the area.
const RECORDS: usize = 32;
/// The alignment in bytes: a line of the caches.
const ALIGNMENT: usize = 64;

/// The driver's own words, between the area and the records. The interrupt sees them whole, and hardware does not use them.
#[derive(Clone, Copy)]
pub(super) enum DriverWord {
    /// What the interrupt leaves in the counter's selector; 0 from the beginning of a stop on.
    Select = 24,
    /// The selector of the program.
    Program = 25,
    /// The number of the counter.
    Counter = 26,
    /// The period.
    Period = 27,
    /// The least latency.
    Latency = 28,
    /// How often the records were found to fill all there is.
    Full = 29,
}

/// The kernel's memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    words: &'static [AtomicU64],
    /// The words of a record.
    size: usize,
}

impl Area {
    /// Lays the memory out, for records of so many words and an interrupt after each.
    pub(super) fn new(words: &'static [AtomicU64], size: usize) -> Result<Self> {
        let area = Self { words, size };
        if !area.address().is_multiple_of(ALIGNMENT as u64) {
            return Err(Error::Unusable {
                reason: "its words are not aligned to 64 bytes; give the static repr(align(4096))",
            });
        }
        let base = area.address() + 8 * RECORDS as u64;
        area.set(BASE, base);
        area.set(INDEX, base);
        area.set(MAXIMUM, base + (8 * size * area.capacity()) as u64);
        area.set_threshold(1)?;
        Ok(area)
    }

    /// Returns how many records there is room for.
    pub(super) const fn capacity(&self) -> usize {
        self.words.len().saturating_sub(RECORDS) / self.size
    }

    /// Lets the interrupt come after so many records.
    pub(super) fn set_threshold(&self, records: usize) -> Result<()> {
        if records == 0 {
            return Err(Error::Unusable { reason: "no interrupt comes after 0 records; name 1 or more" });
        }
        if records >= self.capacity() {
            return Err(Error::Unusable {
                reason: "it is too small: 32 words, and a record more than the interrupt comes after (25 words each, or 8 of format 4)",
            });
        }
        self.set(THRESHOLD, self.get(BASE) + (8 * self.size * records) as u64);
        Ok(())
    }

    /// Returns the linear address.
    pub(super) fn address(&self) -> u64 {
        self.words.as_ptr().addr() as u64
    }

    #[inline(always)]
    pub(super) fn get(&self, word: usize) -> u64 {
        self.words.get(word).map_or(0, |word| word.load(Relaxed))
    }

    #[inline(always)]
    pub(super) fn set(&self, word: usize, value: u64) {
        self.words.get(word).into_iter().for_each(|word| word.store(value, Relaxed));
    }

    #[inline(always)]
    pub(super) fn driver_word(&self, word: DriverWord) -> u64 {
        self.get(word as usize)
    }

    #[inline(always)]
    pub(super) fn set_driver_word(&self, word: DriverWord, value: u64) {
        self.set(word as usize, value);
    }

    /// Calls `found` with each record that is there, and empties the memory. The counter MUST be stopped. Returns true if there was
    /// no room for another record.
    #[inline(always)]
    pub(super) fn drain(&self, mut found: impl FnMut(&[AtomicU64])) -> bool {
        let bytes = self.get(INDEX).saturating_sub(self.get(BASE)) as usize;
        let records = self.words.get(RECORDS..).unwrap_or_default().chunks_exact(self.size);
        let count = (bytes / (8 * self.size)).min(self.capacity());
        records.take(count).for_each(&mut found);
        self.set(INDEX, self.get(BASE));
        count == self.capacity()
    }
}
