//! The image of what the counters are configured with, and the placement of requests.

use super::asked::COUNTERS;
use super::encode::Demand;
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet};
use crate::placement;
use crate::sync::Cell;

/// What the counters are configured with, and the counters that run.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// The counters that may run.
    running: Cell,
    /// What a counter is configured with; 0 if that is not known.
    selections: [Cell; COUNTERS],
}

impl contract::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self =
        Self { occupied: Cell::new(0), running: Cell::new(0), selections: [const { Cell::new(0) }; COUNTERS] };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        self.occupied.counters()
    }
}

/// The counters by which placement is done: 0 and 2, which are cycle and instret everywhere, come above the others, so that
/// these stay free.
const TURN: u32 = 3;

/// Places `new` requests on `free` counters.
#[inline(always)]
pub(super) fn place(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = turned(demand.counters).bits();
    }
    placement::match_masks(turned(free), steps, out).map_err(|conflict| back_in_conflict(&conflict))?;
    for (demand, slot) in new.iter().zip(out) {
        slot.counter = back(slot.counter);
        slot.bits = demand.selection;
    }
    Ok(())
}

#[inline(always)]
const fn turned(counters: CounterSet) -> CounterSet {
    CounterSet::from_bits(counters.bits().rotate_right(TURN))
}

#[inline(always)]
const fn back(counter: CounterId) -> CounterId {
    match CounterId::new((counter.number() as u32 + TURN) as u8 & 63) {
        Some(counter) => counter,
        None => CounterId::ZERO,
    }
}

#[cold]
fn back_in_conflict(conflict: &Conflict) -> Conflict {
    let over = match conflict.over {
        Contention::Counters(free) => Contention::Counters(CounterSet::from_bits(free.bits().rotate_left(TURN))),
        other => other,
    };
    Conflict::new(conflict.requests, over)
}

impl Image {
    /// Adds the counter of a slot.
    #[inline(always)]
    pub(super) fn take(&self, slot: &Slot) {
        self.occupied.set(self.occupied.counters().or(slot.counter.only()).bits());
    }

    /// Removes counters. What they are configured with stays.
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

    /// Returns what a counter is configured with; 0 if that is not known.
    #[inline(always)]
    pub(super) fn selection(&self, counter: CounterId) -> u64 {
        self.selections[counter.index()].get()
    }

    /// Records what a counter is configured with.
    #[inline(always)]
    pub(super) fn set_selection(&self, counter: CounterId, selection: u64) {
        self.selections[counter.index()].set(selection);
    }
}
