//! The atomic word: what a thread and the interrupt on the same CPU share.
//!
//! Each kind of word says who may write it. On a machine with 64-bit atomics (`whole`) a word is
//! one of those; on the others (`halves`) it is made of 32-bit ones, and is never seen torn either.

use core::fmt;

#[cfg(any(test, not(target_has_atomic = "64")))]
#[cfg_attr(target_has_atomic = "64", allow(dead_code, reason = "here its tests alone use it"))]
mod halves;
#[cfg(target_has_atomic = "64")]
mod whole;

#[cfg(not(target_has_atomic = "64"))]
use halves as made;
#[cfg(target_has_atomic = "64")]
use whole as made;

use crate::counter::CounterSet;

pub(crate) use made::Cell;

/// 64 bits that a thread and the interrupt on the same CPU share.
///
/// Both may write: an interrupt amid a thread's writing leaves what either wrote, and no mixture.
/// [`Word::set`] and [`Word::add`] are for the one side that changes what the word says; if the
/// other does too, [`Word::update`] and [`Word::advance`] lose nothing. Another CPU may read, and
/// MUST NOT write.
///
/// On one CPU program order is enough: the accesses are relaxed, and `fence` keeps the compiler
/// from moving them.
#[derive(Default)]
pub struct Word(made::Atomic);

impl Word {
    /// This value.
    #[must_use]
    pub const fn new(value: u64) -> Self {
        Self(made::Atomic::new(value))
    }

    /// What it holds.
    #[inline(always)]
    pub fn get(&self) -> u64 {
        self.0.load()
    }

    /// Replaces what it holds.
    #[inline(always)]
    pub fn set(&self, value: u64) {
        self.0.store(value);
    }

    /// Adds, modulo 2^64, for the one side that writes this word.
    #[inline(always)]
    pub fn add(&self, more: u64) {
        self.set(self.get().wrapping_add(more));
    }

    /// Adds 1, modulo 2^64, whichever side writes this word meanwhile.
    #[inline(always)]
    pub fn advance(&self) {
        self.0.advance();
    }

    /// Replaces what it holds by what `change` makes of it, whichever side writes this word
    /// meanwhile; returns what it held.
    pub fn update(&self, change: impl Fn(u64) -> u64) -> u64 {
        self.0.update(change)
    }

    /// Replaces what it holds, and shows readers on other CPUs all that was written before.
    #[inline(always)]
    pub(crate) fn publish(&self, value: u64) {
        self.0.publish(value);
    }

    /// What it holds, and with it all that was written before that was published.
    #[inline(always)]
    pub(crate) fn observe(&self) -> u64 {
        self.0.observe()
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

/// Counters that anybody includes and excludes, on any CPU: each is in or out by itself.
pub(crate) struct SharedSet(made::Bits);

impl SharedSet {
    pub(crate) const fn empty() -> Self {
        Self(made::Bits::none())
    }

    #[inline(always)]
    pub(crate) fn counters(&self) -> CounterSet {
        CounterSet::from_bits(self.0.get())
    }

    #[inline(always)]
    pub(crate) fn include(&self, counters: CounterSet) {
        self.0.include(counters.bits());
    }

    #[inline(always)]
    pub(crate) fn exclude(&self, counters: CounterSet) {
        self.0.exclude(counters.bits());
    }

    /// Takes all but these out.
    #[inline(always)]
    pub(crate) fn retain(&self, counters: CounterSet) {
        self.0.exclude(!counters.bits());
    }

    /// Takes all counters out.
    #[inline(always)]
    pub(crate) fn take(&self) -> CounterSet {
        CounterSet::from_bits(self.0.take())
    }
}

/// Keeps the compiler from moving memory accesses across it; the processor needs no more on one
/// CPU.
#[inline(always)]
pub(crate) fn fence() {
    crate::atomic::compiler_fence(crate::atomic::Ordering::SeqCst);
}
