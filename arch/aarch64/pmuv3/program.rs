//! Places requests on counters, and keeps the image of the control registers.
//!
//! To the rest of the crate a pair is one counter: its upper half, the odd one, whose overflow is the
//! pair's. It counts the event CHAIN, the overflows of the even counter before it. The status bit of the lower half
//! is not cleared while the pair exists, and does not interrupt.

use super::encode::Demand;
use super::handle::Handle;
use super::registers::COUNTERS;
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::family::place_each;
use crate::placement::{self, Choice, Constraints, Takes};
use crate::sync::Cell;

/// The counters in use, and their selections.
#[derive(Debug)]
pub struct Image {
    pub(super) occupied: Cell,
    /// The counters that run, the lower halves of pairs too.
    pub(super) running: Cell,
    /// The upper halves of pairs.
    pub(super) pairs: Cell,
    /// The last value written to each counter's selection register.
    pub(super) selects: [Cell; COUNTERS],
}

impl contract::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self = Self {
        occupied: Cell::new(0),
        running: Cell::new(0),
        pairs: Cell::new(0),
        selects: [const { Cell::new(0) }; COUNTERS],
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

impl Image {
    /// Returns the handle of a counter or of the pair that it is the upper half of.
    #[inline(always)]
    pub(super) fn handle(&self, counter: CounterId) -> Handle {
        Handle::new(counter, self.pairs.counters().contains(counter))
    }

    /// Returns the lower halves of all pairs.
    #[inline(always)]
    pub(super) fn lower_halves(&self) -> CounterSet {
        lower(self.pairs.counters())
    }

    /// Returns these counters, and the lower halves of those that are pairs.
    #[inline(always)]
    pub(super) fn both(&self, counters: CounterSet) -> CounterSet {
        counters.or(lower(counters.and(self.pairs.counters())))
    }

    /// Returns what a counter selects.
    pub(super) fn select(&self, counter: CounterId) -> u64 {
        self.selects.get(counter.index()).map_or(0, Cell::get)
    }
}

/// Returns the lower halves of these pairs.
#[inline(always)]
pub(super) const fn lower(pairs: CounterSet) -> CounterSet {
    CounterSet::from_bits(pairs.bits() >> 1)
}

/// Places `new` requests on `free` counters.
#[inline(always)]
pub(super) fn place(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    if new.iter().any(|demand| !demand.pairs.is_empty()) {
        return place_pairs(free, new, steps, out);
    }
    place_each(free, new, steps, out, |demand| demand.counters, |demand, _| demand.word)
}

#[cold]
fn place_pairs(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    placement::solve(free, &WithPairs(new), steps, out)?;
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = demand.word;
        if let Some(upper) = slot.partner {
            slot.partner = Some(core::mem::replace(&mut slot.counter, upper));
        }
    }
    Ok(())
}

/// Requests that can be counted by one counter or by a pair.
struct WithPairs<'a>(&'a [Demand]);

impl Constraints for WithPairs<'_> {
    /// There are no shared registers.
    const STEPS: u32 = 0;

    fn length(&self) -> usize {
        self.0.len()
    }

    fn way(&self, choice: Choice) -> Option<(CounterSet, Takes)> {
        let demand = self.0.get(choice.request)?;
        match choice.way {
            0 => Some((demand.counters, Takes::One)),
            1 => Some((demand.pairs, Takes::Pair)),
            _ => None,
        }
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        let masks = |request: usize| self.0.get(request).map(|demand| (demand.counters, demand.pairs));
        masks(one) == masks(other)
    }
}
