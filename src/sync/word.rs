//! An atomic word that a thread and the interrupt on the same CPU share.
//!
//! Each kind of word says who may write it. On a machine with 64-bit atomics (`whole`) a word is one of those.
//! On others (`halves`) it is made of 32-bit atomics, and readers never see it half written either.
//!
//! An x86 of 32 bits has 64-bit atomics from the Pentium on, but even its loads are compare-and-swaps (CMPXCHG8B). So
//! what need not be whole is made of halves there too: a [`SharedSet`], and a [`Cell`], which may also lie in memory
//! that its reader cannot write.

use core::fmt;

#[cfg(any(test, target_pointer_width = "32"))]
#[cfg_attr(target_has_atomic = "64", allow(dead_code, reason = "here its tests alone use the rest"))]
mod halves;
#[cfg(target_has_atomic = "64")]
#[cfg_attr(target_pointer_width = "32", allow(dead_code, reason = "here its word alone is used"))]
mod whole;

#[cfg(not(target_has_atomic = "64"))]
use halves as made;
#[cfg(target_has_atomic = "64")]
use whole as made;

use crate::event::CounterSet;
use crate::sync::atomic::AtomicU32;
use crate::sync::atomic::Ordering::Relaxed;

#[cfg(target_pointer_width = "32")]
use halves as by_width;
#[cfg(target_pointer_width = "64")]
use made as by_width;

/// 64 bits that a thread and the interrupt on the same CPU share.
///
/// Both may write. If an interrupt comes during a thread's write, the word then has the value of one of them,
/// and never a mixture. [`Word::set`] and [`Word::add`] are for words that only one side writes. If both
/// do, [`Word::update`] and [`Word::advance`] lose no change. Another CPU may read, and MUST NOT write.
///
/// On one CPU program order is enough: the accesses are relaxed, and `fence` keeps the compiler from moving
/// them.
#[derive(Default)]
pub struct Word(made::Atomic);

impl Word {
    /// Creates a word with this value.
    #[must_use]
    pub const fn new(value: u64) -> Self {
        Self(made::Atomic::new(value))
    }

    /// Returns the value.
    #[inline(always)]
    pub fn get(&self) -> u64 {
        self.0.load()
    }

    /// Replaces the value.
    #[inline(always)]
    pub fn set(&self, value: u64) {
        self.0.store(value);
    }

    /// Adds to the value, modulo 2^64. Only for words that one side writes.
    #[inline(always)]
    pub fn add(&self, more: u64) {
        self.set(self.get().wrapping_add(more));
    }

    /// Adds 1 to the value, modulo 2^64, even if the other side writes at the same time.
    #[inline(always)]
    pub fn advance(&self) {
        self.0.advance();
    }

    /// Replaces the value by the result of `change`, even if the other side writes at the same time. Returns the
    /// old value.
    pub fn update(&self, change: impl Fn(u64) -> u64) -> u64 {
        self.0.update(change)
    }

    /// Replaces the value, and makes all earlier writes visible to readers on other CPUs.
    #[inline(always)]
    pub(crate) fn publish(&self, value: u64) {
        self.0.publish(value);
    }

    /// Returns the value. All writes before it was published are visible then.
    #[inline(always)]
    pub(crate) fn observe(&self) -> u64 {
        self.0.observe()
    }

    /// Returns the value as a set of counters.
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

/// 64 bits that a thread and the interrupt on the same CPU share, where it does no harm to read them half written.
///
/// It costs no more than two words of 32 bits. It is for
/// - what the interrupt does not use while the thread writes it, and the thread not while the interrupt may: what is known
///   of a counter that does not run, what readers check for a change and read again;
/// - a set of counters, each of which is in or out by itself;
/// - a register of 32 bits.
#[derive(Default)]
pub(crate) struct Cell(by_width::Cell);

impl Cell {
    pub(crate) const fn new(value: u64) -> Self {
        Self(by_width::Cell::new(value))
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> u64 {
        self.0.get()
    }

    #[inline(always)]
    pub(crate) fn set(&self, value: u64) {
        self.0.set(value);
    }

    /// Adds to the value, modulo 2^64. Only for values that one side writes.
    #[inline(always)]
    pub(crate) fn add(&self, more: u64) {
        self.set(self.get().wrapping_add(more));
    }

    /// Returns the value as a set of counters.
    #[inline(always)]
    pub(crate) fn counters(&self) -> CounterSet {
        CounterSet::from_bits(self.get())
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.get())
    }
}

/// Counts changes, so that who reads it before and after sees whether there were any. It is as wide as the machine reads at
/// once; only one side writes it.
#[derive(Default)]
pub(crate) struct Changes(AtomicU32);

impl Changes {
    pub(crate) const fn none() -> Self {
        Self(AtomicU32::new(0))
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> u32 {
        self.0.load(Relaxed)
    }

    #[inline(always)]
    pub(crate) fn advance(&self) {
        self.0.store(self.get().wrapping_add(1), Relaxed);
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// A set of counters that any CPU can add to and remove from. Each counter is in or out by itself.
pub(crate) struct SharedSet(by_width::Bits);

impl SharedSet {
    pub(crate) const fn empty() -> Self {
        Self(by_width::Bits::none())
    }

    #[inline(always)]
    pub(crate) fn counters(&self) -> CounterSet {
        CounterSet::from_bits(self.0.get())
    }

    /// Returns the counters. All writes before they were included are visible then.
    pub(crate) fn observe(&self) -> CounterSet {
        CounterSet::from_bits(self.0.observe())
    }

    /// Adds counters, and makes all earlier writes visible to readers on other CPUs.
    #[inline(always)]
    pub(crate) fn include(&self, counters: CounterSet) {
        self.0.include(counters.bits());
    }

    #[inline(always)]
    pub(crate) fn exclude(&self, counters: CounterSet) {
        self.0.exclude(counters.bits());
    }

    /// Removes all counters, and returns them. All writes before they were included are visible then.
    #[inline(always)]
    pub(crate) fn take(&self) -> CounterSet {
        CounterSet::from_bits(self.0.take())
    }
}

impl fmt::Debug for SharedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.counters().fmt(f)
    }
}

/// Keeps the compiler from moving memory accesses across it. On one CPU the processor needs no more.
#[inline(always)]
pub(crate) fn fence() {
    crate::sync::atomic::compiler_fence(crate::sync::atomic::Ordering::SeqCst);
}
