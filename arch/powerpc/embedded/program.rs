//! The image of PMLCan and PMLCbn.

use crate::contract::{self, Slot};
use crate::event::{CounterId, CounterSet};
use crate::family::Selections;
use crate::sync::{Cell, Word};

/// The values of the counters' registers, and the counters that run.
#[derive(Debug)]
pub struct Image {
    /// PMLCan of a counter that runs in the low half, PMLCbn in the high half. It is written while the counter is not
    /// occupied.
    words: Selections<4>,
    /// The counters whose PMLCan holds their value. That of any other counter holds only its freeze.
    running: Word,
    /// 1 while PMGC0 is known to freeze all counters.
    pub(super) is_frozen: Cell,
}

impl contract::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self =
        Self { words: <Selections<4> as contract::Image>::BLANK, running: Word::new(0), is_frozen: Cell::new(0) };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        contract::Image::counters(&self.words)
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        contract::Image::occupancy(&self.words)
    }
}

impl Image {
    /// Records a slot, whose counter does not run.
    #[inline(always)]
    pub(super) fn take(&self, slot: &Slot) {
        self.words.take(slot);
    }

    /// Removes counters.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.words.release(counters);
    }

    /// Returns the counters that run unless the whole unit is halted.
    #[inline(always)]
    pub(super) fn running(&self) -> CounterSet {
        self.running.counters()
    }

    /// Records that exactly these counters run.
    #[inline(always)]
    pub(super) fn set_running(&self, counters: CounterSet) {
        self.running.set(counters.bits());
    }

    /// Records that these counters do not run. A change by an overflow handler meanwhile is not lost.
    #[inline(always)]
    pub(super) fn rest(&self, counters: CounterSet) {
        self.running.update(|running| running & !counters.bits());
    }

    /// Returns PMLCan of a counter that runs.
    #[inline(always)]
    pub(super) fn local(&self, counter: CounterId) -> u64 {
        self.words.selection(counter) & u64::from(u32::MAX)
    }

    /// Returns PMLCbn.
    #[inline(always)]
    pub(super) fn threshold(&self, counter: CounterId) -> u64 {
        self.words.selection(counter) >> 32
    }
}
