//! The atomic word: what a thread and the interrupt on the same CPU share.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed, compiler_fence};

use crate::counter::CounterSet;

/// 64 bits that a thread and the interrupt on the same CPU share.
///
/// On one CPU program order is enough: the accesses are relaxed, and `fence` keeps the compiler
/// from moving them. The functions that read and write at once are for words that somebody else
/// may write meanwhile.
#[derive(Default)]
pub struct Word(AtomicU64);

impl Word {
    /// This value.
    #[must_use]
    pub const fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    /// What it holds.
    #[inline(always)]
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    /// Replaces what it holds.
    #[inline(always)]
    pub fn set(&self, value: u64) {
        self.0.store(value, Relaxed);
    }

    /// Adds, modulo 2^64, for the one side that writes this word.
    #[inline(always)]
    pub fn add(&self, more: u64) {
        self.set(self.get().wrapping_add(more));
    }

    /// Sets bits, whoever else writes this word.
    #[inline(always)]
    pub fn include(&self, counters: CounterSet) {
        self.0.fetch_or(counters.bits(), Relaxed);
    }

    /// Clears bits, whoever else writes this word.
    #[inline(always)]
    pub fn exclude(&self, counters: CounterSet) {
        self.0.fetch_and(!counters.bits(), Relaxed);
    }

    /// Takes all bits out, whoever else writes this word.
    #[inline(always)]
    pub fn take(&self) -> u64 {
        self.0.swap(0, Relaxed)
    }

    /// Replaces what it holds by what `change` makes of it, whoever else writes this word.
    pub fn update(&self, change: impl Fn(u64) -> u64) {
        let mut before = self.get();
        while let Err(found) = self.0.compare_exchange(before, change(before), Relaxed, Relaxed) {
            before = found;
        }
    }

    /// What it holds, as a set of counters.
    #[inline(always)]
    pub fn counters(&self) -> CounterSet {
        CounterSet::from_bits(self.get())
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.get())
    }
}

/// Keeps the compiler from moving memory accesses across it; the processor needs no more on one
/// CPU.
#[inline(always)]
pub(crate) fn fence() {
    compiler_fence(core::sync::atomic::Ordering::SeqCst);
}
