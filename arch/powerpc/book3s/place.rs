//! Places requests on counters.
//!
//! Some ways of a request need more than its others do. Those that do not agree with what requests need in any case are
//! left out. The rest usually agrees on all shared fields, and requests are only matched with counters. From POWER8 on that
//! nearly always decides, within the steps of a switch. If the rest does not agree, as with two routes to a counter, a search
//! chooses among the ways. An open also searches in order to explain a conflict.

use super::capabilities::Capabilities;
use super::demand::{Demand, WAYS};
use super::needs::Needs;
use super::program::{Occupancy, Program};
use crate::contract::{Slot, Steps};
use crate::event::{Conflict, Contention, CounterSet, Requests};
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
    let sharing = Sharing { demands: new, needed: &beside.needs };
    let found = match sharing.least_needs() {
        None => Err(sharing.unexplained(free)),
        Some(_) if new.len() > free.bits().count_ones() as usize => Err(sharing.unexplained(free)),
        Some(least) if sharing.all_agree(&least) => sharing.match_all(&least, free, steps, out),
        Some(_) => return sharing.search(free, steps, out).map(Program),
    };
    let found = if found.is_err() && steps.explain() > 0 { sharing.search(free, steps, out) } else { found };
    found.map(Program)
}

/// Requests, and what the counters in use need in shared fields.
struct Sharing<'a> {
    demands: &'a [Demand],
    needed: &'a Needs,
}

impl Sharing<'_> {
    /// Returns what the requests need whichever ways they go, and what is in use; `None` if that does not agree.
    #[inline(always)]
    fn least_needs(&self) -> Option<Needs> {
        self.together(|demand| Some(demand.least_needs()))
    }

    /// Returns true if all ways of all requests that agree with `least` agree with each other and with what is in use.
    #[inline(always)]
    fn all_agree(&self, least: &Needs) -> bool {
        self.together(|demand| demand.beside(least).all_needs()).is_some()
    }

    /// Returns these needs of all requests together with what is in use, or `None` if they do not agree.
    #[inline(always)]
    fn together(&self, needs: impl Fn(&Demand) -> Option<Needs>) -> Option<Needs> {
        self.demands.iter().try_fold(*self.needed, |all, demand| {
            let needs = needs(demand)?;
            needs.agrees(&all).then(|| all.and(needs))
        })
    }

    /// Returns a conflict of all requests, which is not explained.
    #[cold]
    const fn unexplained(&self, free: CounterSet) -> Conflict {
        let requests =
            if self.demands.len() < 64 { CounterSet::first(self.demands.len() as u8).bits() } else { u64::MAX };
        Conflict::new(Requests::from_bits(requests), Contention::Counters(free))
    }

    /// Matches requests, of which all ways beside `least` agree, with counters.
    fn match_all(&self, least: &Needs, free: CounterSet, steps: Steps, out: &mut [Slot]) -> Result<Needs, Conflict> {
        for (demand, slot) in self.demands.iter().zip(out.iter_mut()) {
            slot.bits = demand.beside(least).counters().bits();
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

impl Problem for Sharing<'_> {
    const STEPS: u32 = 6;

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
