//! Which request counts where.
//!
//! As a rule nothing that requests need in shared fields is in the way: then they are matched with
//! counters, and no more. Where they need different things, a search chooses among their ways.

use super::code::{FOURTH, NO_WAYS, Needs, Selection, WAYS, Ways};
use super::encode::Demand;
use super::facts::Facts;
use super::generation::Generation;
use super::program::{COUNTERS, Occupancy, Program};
use crate::contract::{Slot, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::placement::{self, Choice, Ignored, Problem, Register, Takes};

/// As many requests as there are counters and one more, which is one too many for any set.
const MOST: usize = COUNTERS + 1;

/// Fits `new` beside what is in use.
pub(super) fn place(
    facts: &Facts,
    beside: &Occupancy,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
) -> Result<Program, Conflict> {
    let (free, needed) = (facts.usable.without(beside.counters), needed(facts, beside));
    let selects_bank = selects_bank(facts, &needed, new);
    let mut ways = [NO_WAYS; MOST];
    for (ways, demand) in ways.iter_mut().zip(new) {
        demand.find_ways(facts, selects_bank, ways);
    }
    let ways = ways.get(..new.len()).unwrap_or(&ways);
    let out = out.get_mut(..ways.len()).unwrap_or_default();
    let needs = if agree(ways, &needed) {
        match_all(free, &needed, ways, steps, out)?
    } else {
        search(free, &needed, ways, steps, out)?
    };
    Ok(Program(needs))
}

/// What is needed by what is there. POWER9's PMC4 may be there with an event that is of no bank.
fn needed(facts: &Facts, beside: &Occupancy) -> Needs {
    let needs = beside.needs;
    let is_taken = matches!(facts.generation, Generation::Power9) && !beside.counters.and(FOURTH).is_empty();
    if is_taken && !needs.has_bank() { needs.and(Needs::no_bank()) } else { needs }
}

/// Does POWER9's PMC4 have to select a bank of the caches' events?
fn selects_bank(facts: &Facts, needed: &Needs, new: &[Demand]) -> bool {
    matches!(facts.generation, Generation::Power9) && (needed.has_bank() || new.iter().any(Demand::is_of_bank))
}

/// The counters that ways reach which agree with what is needed.
fn reached(ways: &Ways, needed: &Needs) -> CounterSet {
    let reached = |way: &Selection| if way.needs.agrees(needed) { way.counters() } else { CounterSet::EMPTY };
    ways.iter().fold(CounterSet::EMPTY, |set, way| set.or(reached(way)))
}

/// Fills the slot of a request that has got this counter; what the way there needs.
fn settle(ways: &Ways, needed: &Needs, counter: CounterId, slot: &mut Slot) -> Option<Needs> {
    let way = ways.iter().find(|way| way.counters().contains(counter) && way.needs.agrees(needed))?;
    *slot = Slot { counter, partner: None, bits: way.own.to_bits() };
    Some(way.needs)
}

/// Does no request need what another, or what is there, has otherwise?
fn agree(ways: &[Ways], needed: &Needs) -> bool {
    let mut all = *needed;
    ways.iter().flatten().filter(|way| !way.counters().is_empty()).all(|way| {
        let agrees = way.needs.agrees(&all);
        all = all.and(way.needs);
        agrees
    })
}

/// Requests that agree are matched with counters.
fn match_all(
    free: CounterSet,
    needed: &Needs,
    ways: &[Ways],
    steps: Steps,
    out: &mut [Slot],
) -> Result<Needs, Conflict> {
    for (ways, slot) in ways.iter().zip(out.iter_mut()) {
        slot.bits = reached(ways, needed).bits();
    }
    placement::match_masks(free, steps, out)?;
    let settled = out.iter_mut().zip(ways).filter_map(|(slot, ways)| settle(ways, needed, slot.counter, slot));
    Ok(settled.fold(Needs::NOTHING, Needs::and))
}

/// Chooses among the ways of requests that need different things.
fn search(free: CounterSet, needed: &Needs, ways: &[Ways], steps: Steps, out: &mut [Slot]) -> Result<Needs, Conflict> {
    let several = Several { ways, needed: *needed };
    placement::solve(free, &several, steps, out)?;
    let mut needs = Needs::NOTHING;
    for (request, slot) in out.iter_mut().enumerate() {
        let way = several.chosen(Choice { request, way: slot.bits as usize });
        slot.bits = way.own.to_bits();
        needs = needs.and(way.needs);
    }
    Ok(needs)
}

/// Requests, and what is needed by what is there.
struct Several<'a> {
    ways: &'a [Ways],
    needed: Needs,
}

impl Several<'_> {
    fn chosen(&self, choice: Choice) -> &Selection {
        self.ways.get(choice.request).and_then(|ways| ways.get(choice.way)).unwrap_or(&Selection::NEVER)
    }
}

impl Problem for Several<'_> {
    fn length(&self) -> usize {
        self.ways.len()
    }

    fn way(&self, choice: Choice) -> Option<(CounterSet, Takes)> {
        let ways = self.ways.get(choice.request)?;
        ways.get(choice.way).map(|way| (way.counters(), Takes::One))
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        (0..WAYS).all(|way| {
            let [one, other] = [one, other].map(|request| self.chosen(Choice { request, way }));
            one.counters() == other.counters() && one.needs == other.needs
        })
    }

    fn fits(&self, way: Choice, ignored: Ignored) -> bool {
        self.chosen(way).needs.heeding(ignored).agrees(&self.needed)
    }

    fn agree(&self, one: Choice, other: Choice, ignored: Ignored) -> bool {
        self.chosen(one).needs.heeding(ignored).agrees(&self.chosen(other).needs)
    }

    fn registers(&self, request: usize) -> impl Iterator<Item = &'static Register> {
        self.ways.get(request).into_iter().flatten().flat_map(|way| way.needs.registers())
    }
}
