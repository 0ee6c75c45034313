//! The image of the selections, and the placement of requests.

use super::encode::Demand;
use crate::arch::riscv::Csr;
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::placement;
use crate::sync::Cell;

/// The values of the counters' selections, and the counters that run.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// Without mcountinhibit, the counters whose selection may hold its value. That of any other counter is 0.
    running: Cell,
    /// The selection of a counter, without OF. It is written while the counter does not run.
    selects: [Cell; Csr::COUNTERS as usize],
    /// The last selection of a counter that was compared with what the hardware kept.
    seen: [Cell; Csr::COUNTERS as usize],
}

impl contract::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self = Self {
        occupied: Cell::new(0),
        running: Cell::new(0),
        selects: [const { Cell::new(0) }; Csr::COUNTERS as usize],
        seen: [const { Cell::new(0) }; Csr::COUNTERS as usize],
    };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        self.occupied.counters()
    }
}

/// Places `new` requests on `free` counters, which share no registers.
#[inline(always)]
pub(super) fn place(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.counters.bits();
    }
    placement::match_masks(free, steps, out)?;
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = demand.select(slot.counter);
    }
    Ok(())
}

impl Image {
    /// Records a slot, whose counter does not run. Returns true if its selection has changed.
    #[inline(always)]
    pub(super) fn take(&self, slot: &Slot) -> bool {
        let select = self.cell(slot.counter);
        let has_changed = select.get() != slot.bits;
        select.set(slot.bits);
        self.occupied.set(self.occupied.counters().or(slot.counter.only()).bits());
        has_changed
    }

    /// Removes counters. Their selections stay.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
    }

    /// Returns the counters that may run, where they are stopped by their selections.
    #[inline(always)]
    pub(super) fn running(&self) -> CounterSet {
        self.running.counters()
    }

    /// Records that these counters may run, and no others.
    #[inline(always)]
    pub(super) fn set_running(&self, counters: CounterSet) {
        self.running.set(counters.bits());
    }

    /// Returns what a counter counts.
    #[inline(always)]
    pub(super) fn select(&self, counter: CounterId) -> u64 {
        self.cell(counter).get()
    }

    /// Returns true if the hardware is known to keep the selection of a slot.
    pub(super) fn has_seen(&self, slot: &Slot) -> bool {
        self.seen[usize::from(slot.counter.number() & 31)].get() == slot.bits
    }

    /// Records that the hardware keeps the selection of a slot, which it has.
    pub(super) fn see(&self, slot: &Slot) {
        self.seen[usize::from(slot.counter.number() & 31)].set(slot.bits);
        self.cell(slot.counter).set(slot.bits);
    }

    #[inline(always)]
    fn cell(&self, counter: CounterId) -> &Cell {
        &self.selects[usize::from(counter.number() & 31)]
    }
}
