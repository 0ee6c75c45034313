//! Where a request was placed.

use crate::event::{CounterId, CounterSet};

/// Where a request was placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The counter that is read, preset and started.
    pub counter: CounterId,
    /// The second counter, of a chained or merged pair.
    pub partner: Option<CounterId>,
    /// The counter's own control word, in the family's layout.
    pub bits: u64,
}

impl Slot {
    /// An empty slot, to be filled by a placement.
    pub const EMPTY: Self = Self { counter: CounterId::ZERO, partner: None, bits: 0 };

    /// Returns the counters that the slot takes.
    #[inline(always)]
    #[must_use]
    pub fn occupies(&self) -> CounterSet {
        self.partner.map_or(CounterSet::EMPTY, CounterId::only).or(self.counter.only())
    }
}
