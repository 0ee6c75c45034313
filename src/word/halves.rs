//! Words where the machine's atomics have 32 bits.
//!
//! A value is two halves in a slot, of which an [`Atomic`] has four, and a state that says which
//! slot is current and changes with every write. A writer marks a slot that is neither current nor
//! marked, fills it, and makes it current by one exchange of the state. So an interrupt, wherever
//! it comes, reads the current slot whole, and writes in a slot of its own; a writer whose state
//! has changed meanwhile has been overtaken. Readers look at the state before and after.
//!
//! Four slots are room for three writers, one amid another: a thread, and what interrupts it. An
//! interrupt never reads or writes twice, since whatever it is amid goes on when it has returned;
//! what it came amid does so once for each interrupt.

use crate::atomic::{
    AtomicU32,
    Ordering::{self, Acquire, Relaxed, Release},
    fence,
};

use super::fence as keep_order;

/// 32 bits that the machine reads and writes at once.
pub(super) trait Half {
    fn load(&self, order: Ordering) -> u32;
    fn store(&self, value: u32);
    fn include(&self, bits: u32);
    fn exclude(&self, bits: u32);
    fn take(&self) -> u32;
    /// Replaces `from` by `to` and shows what was written before; false if it holds something else.
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
        self.fetch_or(bits, Relaxed);
    }

    #[inline(always)]
    fn exclude(&self, bits: u32) {
        self.fetch_and(!bits, Relaxed);
    }

    #[inline(always)]
    fn take(&self) -> u32 {
        self.swap(0, Relaxed)
    }

    #[inline(always)]
    fn exchange(&self, from: u32, to: u32) -> bool {
        self.compare_exchange(from, to, Release, Relaxed).is_ok()
    }
}

/// A word that is read only when nobody writes it; something else says when that is.
#[derive(Debug, Default)]
pub(crate) struct Cell<H = AtomicU32> {
    low: H,
    high: H,
}

impl Cell {
    pub(crate) const fn new(value: u64) -> Self {
        Self { low: AtomicU32::new(value as u32), high: AtomicU32::new((value >> 32) as u32) }
    }
}

#[allow(private_bounds, reason = "a half is this module's own affair")]
impl<H: Half> Cell<H> {
    #[inline(always)]
    pub(crate) fn get(&self) -> u64 {
        u64::from(self.high.load(Relaxed)) << 32 | u64::from(self.low.load(Relaxed))
    }

    #[inline(always)]
    pub(crate) fn set(&self, value: u64) {
        self.low.store(value as u32);
        self.high.store((value >> 32) as u32);
    }
}

/// Bits that anybody sets and clears, each by itself: first those of the lower half.
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
    /// The current slot's number in bits 0 and 1; the rest counts the writes.
    state: H,
    /// One bit a slot: somebody is filling it.
    marked: H,
    slots: [Cell<H>; 4],
}

/// What a writer begins with.
struct Pen {
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
        // If a write has come meanwhile, it came after this one.
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

    /// What the word held; `None` if a write has come meanwhile, and this one has not happened.
    fn try_write(&self, change: impl Fn(u64) -> u64) -> Option<u64> {
        let pen = self.begin();
        // Whoever sees what follows sees that the slot is not current.
        fence(Release);
        self.slot(pen.slot).set(change(pen.before));
        let count = pen.state & !3;
        let written = self.state.exchange(pen.state, count.wrapping_add(4) | pen.slot);
        keep_order();
        self.marked.store(pen.marked);
        written.then_some(pen.before)
    }

    /// Marks a slot, and sees that it did not become current before it was marked.
    fn begin(&self) -> Pen {
        loop {
            let (state, before) = self.read();
            let marked = self.marked.load(Relaxed);
            let slot = (marked | 1 << (state & 3)).trailing_ones() & 3;
            self.marked.store(marked | 1 << slot);
            keep_order();
            if self.state.load(Relaxed) == state {
                return Pen { state, before, marked, slot };
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
