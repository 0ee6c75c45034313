//! The image of the controls, and the placement of requests.

use super::encode::Demand;
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::placement;
use crate::sync::Cell;

/// The values of the counters' controls, and the counters that run.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// The counters whose control may hold their value. That of any other counter is 0.
    running: Cell,
    /// The control of a counter while it runs. It is written while the counter does not run.
    controls: [Cell; 4],
}

impl contract::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self = Self { occupied: Cell::new(0), running: Cell::new(0), controls: [const { Cell::new(0) }; 4] };

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
        slot.bits = demand.control(slot.counter);
    }
    Ok(())
}

impl Image {
    /// Records a slot, whose counter does not run.
    #[inline(always)]
    pub(super) fn take(&self, slot: &Slot) {
        self.cell(slot.counter).set(slot.bits);
        self.occupied.set(self.occupied.counters().or(slot.counter.only()).bits());
    }

    /// Removes counters.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
    }

    /// Returns the counters that may run.
    #[inline(always)]
    pub(super) fn running(&self) -> CounterSet {
        self.running.counters()
    }

    /// Records that these counters may run, and no others.
    #[inline(always)]
    pub(super) fn set_running(&self, counters: CounterSet) {
        self.running.set(counters.bits());
    }

    /// Returns the control of a counter that runs.
    #[inline(always)]
    pub(super) fn control(&self, counter: CounterId) -> u64 {
        self.cell(counter).get()
    }

    #[inline(always)]
    fn cell(&self, counter: CounterId) -> &Cell {
        &self.controls[usize::from(counter.number() & 3)]
    }
}
