//! Searches for a placement by trying all.

use crate::placement::demand::{Demand, Field, Way};
use pmu::driver::placement::Takes;
use pmu::{CounterId, CounterSet};

/// What is taken already.
#[derive(Clone, Default)]
pub(crate) struct Board {
    pub(crate) taken: CounterSet,
    pub(crate) fields: Vec<Field>,
}

impl Board {
    pub(crate) fn agrees(&self, field: &Field) -> bool {
        self.fields.iter().all(|set| set.agrees(field))
    }

    /// The board after a demand went this way from this counter; `None` if it cannot.
    pub(crate) fn with<const F: usize>(&self, way: &Way<F>, counter: CounterId) -> Option<Self> {
        let takes = takes(way, counter)?;
        let fits = way.counters.contains(counter)
            && takes.and(self.taken).is_empty()
            && way.fields.iter().all(|field| self.agrees(field));
        let fields = self.fields.iter().chain(&way.fields).copied().collect();
        fits.then_some(Self { taken: self.taken.or(takes), fields })
    }

    /// Can all these demands be placed on what is left?
    pub(crate) fn has_room_for<const W: usize, const F: usize>(&self, demands: &[&Demand<W, F>]) -> bool {
        let Some((first, rest)) = demands.split_first() else { return true };
        let options = first.ways.iter().flat_map(|way| way.counters.into_iter().map(move |counter| (way, counter)));
        options.into_iter().any(|(way, counter)| self.with(way, counter).is_some_and(|after| after.has_room_for(rest)))
    }
}

/// The counters that a way takes from its first.
pub(crate) fn takes<const F: usize>(way: &Way<F>, first: CounterId) -> Option<CounterSet> {
    match way.takes {
        Takes::One => Some(first.only()),
        Takes::Pair => Some(first.only().or(CounterId::new(first.number() + 1)?.only())),
    }
}
