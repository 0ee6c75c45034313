//! Places requests on counters.
//!
//! Requests usually agree on all shared fields, whichever way each of them is counted. Then they are only
//! matched with counters. If they do not agree, a search chooses among their ways.

use super::capabilities::Capabilities;
use super::demand::{Demand, WAYS};
use super::needs::Needs;
use super::program::{Occupancy, Program};
use crate::contract::{Slot, Steps};
use crate::event::{Conflict, CounterSet};
use crate::placement::{self, Choice, Ignored, Problem, Register, Takes};

/// Places `new` requests beside those in use.
pub(super) fn place(
    capabilities: &Capabilities,
    beside: &Occupancy,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
) -> Result<Program, Conflict> {
    let free = capabilities.usable.without(beside.counters);
    let requests = Requests { demands: new, needed: &beside.needs };
    let needs =
        if requests.all_agree() { requests.match_all(free, steps, out)? } else { requests.search(free, steps, out)? };
    Ok(Program(needs))
}

/// Requests, and what the counters in use need in shared fields.
struct Requests<'a> {
    demands: &'a [Demand],
    needed: &'a Needs,
}

impl Requests<'_> {
    /// Returns true if all ways of all requests agree with each other and with what is in use.
    fn all_agree(&self) -> bool {
        let mut all = *self.needed;
        self.demands.iter().all(|demand| match demand.all_needs() {
            Some(needs) if needs.agrees(&all) => {
                all = all.and(needs);
                true
            }
            _ => false,
        })
    }

    /// Matches requests that agree with counters.
    fn match_all(&self, free: CounterSet, steps: Steps, out: &mut [Slot]) -> Result<Needs, Conflict> {
        for (demand, slot) in self.demands.iter().zip(out.iter_mut()) {
            slot.bits = demand.counters().bits();
        }
        placement::match_masks(free, steps, out)?;
        let mut needs = Needs::NOTHING;
        for (demand, slot) in self.demands.iter().zip(out) {
            needs = needs.and(demand.needs_on(slot.counter));
            slot.bits = demand.own_on(slot.counter).bits();
        }
        Ok(needs)
    }

    /// Chooses among the ways of requests that do not agree.
    #[cold]
    fn search(&self, free: CounterSet, steps: Steps, out: &mut [Slot]) -> Result<Needs, Conflict> {
        placement::solve(free, self, steps, out)?;
        let mut needs = Needs::NOTHING;
        for (request, (demand, slot)) in self.demands.iter().zip(out).enumerate() {
            needs = needs.and(self.needs_of(Choice { request, way: slot.bits as usize }));
            slot.bits = demand.own_on(slot.counter).bits();
        }
        Ok(needs)
    }

    #[inline(always)]
    fn needs_of(&self, choice: Choice) -> Needs {
        self.demands.get(choice.request).map_or(Needs::NOTHING, |demand| demand.needs_of(choice.way))
    }
}

impl Problem for Requests<'_> {
    fn length(&self) -> usize {
        self.demands.len()
    }

    fn way(&self, choice: Choice) -> Option<(CounterSet, Takes)> {
        let counters =
            self.demands.get(choice.request).map_or(CounterSet::EMPTY, |demand| demand.counters_of(choice.way));
        (choice.way < WAYS).then_some((counters, Takes::One))
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        matches!((self.demands.get(one), self.demands.get(other)), (Some(one), Some(other)) if one.is_like(other))
    }

    fn fits(&self, way: Choice, ignored: Ignored) -> bool {
        self.needs_of(way).without_ignored(ignored).agrees(self.needed)
    }

    fn agree(&self, one: Choice, other: Choice, ignored: Ignored) -> bool {
        self.needs_of(one).without_ignored(ignored).agrees(&self.needs_of(other))
    }

    fn registers(&self, request: usize) -> impl Iterator<Item = &'static Register> {
        let demand = self.demands.get(request).copied().unwrap_or_default();
        let ways = (0..WAYS).filter(move |way| !demand.counters_of(*way).is_empty());
        ways.flat_map(move |way| demand.needs_of(way).registers())
    }
}
