//! Where a thread's requests count: found once for each kind of unit, and remembered.

use super::Context;
use crate::contract::{Driver, Kind, Slot, Steps};
use crate::event::{CounterSet, Error, Event, Result};
use crate::measure::open::encode_all;

/// A placement that was found, or that there is none, and what it was looked for beside.
pub(super) struct Placement<D: Driver, const N: usize> {
    /// The kind of unit; [`Kind::NONE`] if nothing was looked for yet.
    kind: Kind,
    beside: D::Occupancy,
    pub(super) program: D::Program,
    pub(super) slots: [Slot; N],
    /// The counters that it takes; none if there is no placement.
    pub(super) counters: CounterSet,
    pub(super) occupied: CounterSet,
}

impl<D: Driver, const N: usize> Clone for Placement<D, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Driver, const N: usize> Copy for Placement<D, N> {}

impl<D: Driver, const N: usize> Placement<D, N> {
    /// A placement of no kind of unit.
    pub(super) fn none() -> Self {
        Self {
            kind: Kind::NONE,
            beside: D::Occupancy::default(),
            program: D::Program::default(),
            slots: [Slot::EMPTY; N],
            counters: CounterSet::EMPTY,
            occupied: CounterSet::EMPTY,
        }
    }

    #[inline(always)]
    fn is_for(&self, kind: Kind, beside: &D::Occupancy) -> bool {
        self.kind == kind && self.beside == *beside
    }
}

impl<D: Driver, const N: usize> Context<D, N> {
    /// Returns the number of the placement beside what is in use, if there is one. It is looked for only if none is
    /// remembered for this kind of unit and what is in use.
    #[inline(always)]
    pub(super) fn placement(&mut self, driver: &D, beside: &D::Occupancy) -> Option<usize> {
        let kind = driver.kind();
        let known = self.placements.iter().position(|placement| placement.is_for(kind, beside));
        let number = known.unwrap_or_else(|| self.place_anew(driver, kind, beside));
        (!self.placements.get(number)?.counters.is_empty()).then_some(number)
    }

    /// Looks for a placement, within what a switch may take, and remembers it or that there is none.
    #[cold]
    #[inline(never)]
    fn place_anew(&mut self, driver: &D, kind: Kind, beside: &D::Occupancy) -> usize {
        let remembered = |kind| self.placements.iter().position(|placement| placement.kind == kind);
        let number = remembered(kind).or_else(|| remembered(Kind::NONE)).unwrap_or(1);
        let found = self.place(driver, kind, beside, Steps::SWITCH).ok();
        let none = Placement { kind, beside: *beside, ..Placement::none() };
        self.placements[number] = found.unwrap_or(none);
        number
    }

    /// Looks for a placement.
    pub(super) fn place(&self, driver: &D, kind: Kind, beside: &D::Occupancy, steps: Steps) -> Result<Placement<D, N>> {
        let mut demands = [D::Demand::default(); N];
        let requests = self.set.requests();
        let mut found = Placement { kind, beside: *beside, ..Placement::none() };
        if self.is_foreign_to(kind) {
            return Ok(found);
        }
        encode_all(driver, requests, &mut demands)?;
        let slots = &mut found.slots[..requests.len()];
        found.program = driver.place(beside, &demands[..requests.len()], steps, slots).map_err(Error::Conflict)?;
        for slot in slots {
            found.counters = found.counters.or(slot.counter.only());
            found.occupied = found.occupied.or(slot.occupies());
        }
        Ok(found)
    }

    /// Returns true if the requests mean nothing to this kind of unit: codes are those of the kind that the context was
    /// bound on, and mean something else on another. Generic events mean the same everywhere.
    fn is_foreign_to(&self, kind: Kind) -> bool {
        let is_code = |event: Event| !matches!(event, Event::Generic(_));
        self.kind != kind && self.set.requests().iter().any(|request| is_code(request.event))
    }
}
