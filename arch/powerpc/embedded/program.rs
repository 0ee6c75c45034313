//! The image of PMLCan and PMLCbn, and the placement of requests.

use crate::arch::powerpc::Demand;
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::placement;
use crate::sync::{Cell, Word};

/// The values of the counters' registers, and the counters that run.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// The counters whose PMLCan holds their value. That of any other counter holds only its freeze.
    running: Word,
    /// PMLCan of a counter that runs in the low half, PMLCbn in the high half. It is written while the counter is not
    /// occupied.
    words: [Cell; 4],
}

impl contract::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self = Self { occupied: Cell::new(0), running: Word::new(0), words: [const { Cell::new(0) }; 4] };

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
        slot.bits = demand.word;
    }
    Ok(())
}

impl Image {
    /// Records a slot, whose counter does not run.
    #[inline(always)]
    pub(super) fn take(&self, slot: &Slot) {
        self.word(slot.counter).set(slot.bits);
        self.occupied.set(self.occupied.counters().or(slot.counter.only()).bits());
    }

    /// Removes counters.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
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
        self.word(counter).get() & u64::from(u32::MAX)
    }

    /// Returns PMLCbn.
    #[inline(always)]
    pub(super) fn threshold(&self, counter: CounterId) -> u64 {
        self.word(counter).get() >> 32
    }

    #[inline(always)]
    fn word(&self, counter: CounterId) -> &Cell {
        &self.words[usize::from(counter.number() & 3)]
    }
}
