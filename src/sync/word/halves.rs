//! Words on machines whose atomics have 32 bits.
//!
//! A value is kept as two halves in a slot. An [`Atomic`] has four slots, and a state that contains the number
//! of the current slot and changes with every write. A writer marks a slot that is neither current nor marked,
//! fills it, and makes it current by a single exchange of the state. An interrupt at any time therefore reads a
//! complete current slot and writes to a slot of its own. If the state has changed before the exchange, the
//! writer was overtaken. Readers check the state before and after reading.
//!
//! Four slots are enough for three nested writers: a thread and two interrupts. An interrupt never repeats a
//! read or write, because what it interrupted does not continue before it returns; what was interrupted repeats
//! once for each interrupt.

use crate::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use crate::sync::atomic::{AtomicU32, fence};

use super::fence as keep_order;

/// 32 bits that the machine reads and writes at once.
pub(super) trait Half {
    fn load(&self, order: Ordering) -> u32;
    fn store(&self, value: u32);
    fn include(&self, bits: u32);
    fn exclude(&self, bits: u32);
    fn take(&self) -> u32;
    /// Replaces `from` by `to` and publishes earlier writes. Returns false if the value is not `from`.
    fn exchange(&self, from: u32, to: u32) -> bool;
}

impl Half for AtomicU32 {
    #[inline(always)]
    fn load(&self, order: Ordering) -> u32 {
        self.load(order)
    }

    #[inline(always)]
    fn store(&self, value: u32) {
        self.store(value, Relaxed);
    }

    #[inline(always)]
    fn include(&self, bits: u32) {
        self.fetch_or(bits, Release);
    }

    #[inline(always)]
    fn exclude(&self, bits: u32) {
        self.fetch_and(!bits, Relaxed);
    }

    #[inline(always)]
    fn take(&self) -> u32 {
        self.swap(0, Acquire)
    }

    #[inline(always)]
    fn exchange(&self, from: u32, to: u32) -> bool {
        self.compare_exchange(from, to, Release, Relaxed).is_ok()
    }
}

/// A word that is read only while nobody writes it. The caller makes sure of that.
#[derive(Default)]
pub(super) struct Cell<H = AtomicU32> {
    low: H,
    high: H,
}

impl Cell {
    pub(super) const fn new(value: u64) -> Self {
        Self { low: AtomicU32::new(value as u32), high: AtomicU32::new((value >> 32) as u32) }
    }
}

#[allow(private_bounds, reason = "a half is this module's own affair")]
impl<H: Half> Cell<H> {
    #[inline(always)]
    pub(super) fn get(&self) -> u64 {
        u64::from(self.high.load(Relaxed)) << 32 | u64::from(self.low.load(Relaxed))
    }

    #[inline(always)]
    pub(super) fn set(&self, value: u64) {
        self.low.store(value as u32);
        self.high.store((value >> 32) as u32);
    }
}

/// Bits that any CPU sets and clears, each by itself. The lower half comes first.
pub(super) struct Bits<H = AtomicU32>(Cell<H>);

impl Bits {
    pub(super) const fn none() -> Self {
        Self(Cell::new(0))
    }
}

impl<H: Half> Bits<H> {
    #[inline(always)]
    pub(super) fn get(&self) -> u64 {
        self.0.get()
    }

    pub(super) fn observe(&self) -> u64 {
        let low = self.0.low.load(Acquire);
        u64::from(self.0.high.load(Acquire)) << 32 | u64::from(low)
    }

    pub(super) fn include(&self, bits: u64) {
        self.0.low.include(bits as u32);
        self.0.high.include((bits >> 32) as u32);
    }

    pub(super) fn exclude(&self, bits: u64) {
        self.0.low.exclude(bits as u32);
        self.0.high.exclude((bits >> 32) as u32);
    }

    pub(super) fn take(&self) -> u64 {
        let low = self.0.low.take();
        u64::from(self.0.high.take()) << 32 | u64::from(low)
    }
}

/// A word that a thread and the interrupt on its CPU may both write.
#[derive(Default)]
pub(super) struct Atomic<H = AtomicU32> {
    /// Bits 0 and 1 are the number of the current slot. The others count the writes.
    state: H,
    /// A bit for each slot that is being filled.
    marked: H,
    slots: [Cell<H>; 4],
}

/// What a writer knows when it begins.
struct Writing {
    state: u32,
    before: u64,
    marked: u32,
    slot: u32,
}

impl Atomic {
    pub(super) const fn new(value: u64) -> Self {
        let slots = [Cell::new(value), Cell::new(0), Cell::new(0), Cell::new(0)];
        Self { state: AtomicU32::new(0), marked: AtomicU32::new(0), slots }
    }
}

impl<H: Half> Atomic<H> {
    #[inline]
    pub(super) fn load(&self) -> u64 {
        self.read().1
    }

    pub(super) fn store(&self, value: u64) {
        // If there was another write in between, it came after this one.
        self.try_write(|_| value);
    }

    pub(super) fn publish(&self, value: u64) {
        self.store(value);
    }

    pub(super) fn observe(&self) -> u64 {
        self.load()
    }

    pub(super) fn advance(&self) {
        self.update(|value| value.wrapping_add(1));
    }

    pub(super) fn update(&self, change: impl Fn(u64) -> u64) -> u64 {
        loop {
            if let Some(before) = self.try_write(&change) {
                return before;
            }
        }
    }

    #[inline]
    fn read(&self) -> (u32, u64) {
        loop {
            let state = self.state.load(Acquire);
            let value = self.slot(state).get();
            fence(Acquire);
            if self.state.load(Relaxed) == state {
                return (state, value);
            }
        }
    }

    /// Writes, and returns the old value. Returns `None` if there was another write in between; nothing was
    /// written then.
    fn try_write(&self, change: impl Fn(u64) -> u64) -> Option<u64> {
        let writing = self.begin();
        // A reader that sees one of the following writes also sees that the slot is not current.
        fence(Release);
        self.slot(writing.slot).set(change(writing.before));
        let count = writing.state & !3;
        let written = self.state.exchange(writing.state, count.wrapping_add(4) | writing.slot);
        keep_order();
        self.marked.store(writing.marked);
        written.then_some(writing.before)
    }

    /// Marks a slot, and makes sure that it did not become current before it was marked.
    fn begin(&self) -> Writing {
        loop {
            let (state, before) = self.read();
            let marked = self.marked.load(Relaxed);
            let slot = (marked | 1 << (state & 3)).trailing_ones() & 3;
            self.marked.store(marked | 1 << slot);
            keep_order();
            if self.state.load(Relaxed) == state {
                return Writing { state, before, marked, slot };
            }
            self.marked.store(marked);
        }
    }

    #[inline]
    fn slot(&self, number: u32) -> &Cell<H> {
        &self.slots[(number & 3) as usize]
    }
}

#[cfg(test)]
mod tests;

#[cfg(all(test, loom))]
#[path = "../../../tests/interleavings/halves.rs"]
mod interleavings;
