//! The image of a unit whose counters share no register.

use crate::contract::{Image, Slot};
use crate::event::{CounterId, CounterSet};
use crate::sync::Cell;

/// One selection for each of `N` counters, a power of two, and the counters that run.
#[derive(Debug)]
pub struct Selections<const N: usize> {
    occupied: Cell,
    /// The counters that may run.
    running: Cell,
    selections: [Cell; N],
}

impl<const N: usize> Image for Selections<N> {
    type Occupancy = CounterSet;

    const BLANK: Self = Self { occupied: Cell::new(0), running: Cell::new(0), selections: [const { Cell::new(0) }; N] };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        self.occupied.counters()
    }
}

impl<const N: usize> Selections<N> {
    /// Records a slot, whose counter does not run. Returns true if its selection has changed.
    #[inline(always)]
    pub(crate) fn take(&self, slot: &Slot) -> bool {
        let has_changed = self.selection(slot.counter) != slot.bits;
        self.set_selection(slot.counter, slot.bits);
        self.occupy(slot.counter);
        has_changed
    }

    /// Adds a counter, whose selection is recorded apart.
    #[inline(always)]
    pub(crate) fn occupy(&self, counter: CounterId) {
        self.occupied.set(self.occupied.counters().or(counter.only()).bits());
    }

    /// Removes counters. Their selections stay.
    #[inline(always)]
    pub(crate) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
    }

    /// Returns the counters that may run.
    #[inline(always)]
    pub(crate) fn running(&self) -> CounterSet {
        self.running.counters()
    }

    /// Records that these counters may run, and no others.
    #[inline(always)]
    pub(crate) fn set_running(&self, counters: CounterSet) {
        self.running.set(counters.bits());
    }

    /// Stops and starts counters, so that exactly these run: `change` does it, and is told which to stop and which to start.
    ///
    /// What is recorded covers what runs at every moment, so that an interrupt that comes amid this stops all.
    #[inline(always)]
    pub(crate) fn run(&self, exactly: CounterSet, change: impl FnOnce(CounterSet, CounterSet)) {
        let before = self.running();
        self.set_running(before.or(exactly));
        change(before.without(exactly), exactly.without(before));
        self.set_running(exactly);
    }

    /// Returns what a counter counts.
    #[inline(always)]
    pub(crate) fn selection(&self, counter: CounterId) -> u64 {
        self.cell(counter).get()
    }

    /// Records what a counter counts.
    #[inline(always)]
    pub(crate) fn set_selection(&self, counter: CounterId, selection: u64) {
        self.cell(counter).set(selection);
    }

    #[inline(always)]
    fn cell(&self, counter: CounterId) -> &Cell {
        const { assert!(N.is_power_of_two()) };
        &self.selections[usize::from(counter.number()) & (N - 1)]
    }
}
