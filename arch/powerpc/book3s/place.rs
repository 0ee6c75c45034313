//! Which request counts where.
//!
//! As a rule nothing that requests need in shared fields is in the way: then they are matched with
//! counters, and no more. Where they need different things, a search chooses among their ways.

use core::slice;

use super::code::{FIELDS, FIRST_FOUR, FOURTH, NO_WAYS, Needs, Selection, WAYS, Ways};
use super::encode::Demand;
use super::facts::Facts;
use super::generation::Generation;
use super::program::{COUNTERS, Image, Program};
use crate::assign::{self, Field};
use crate::backend::{Image as _, Slot};
use crate::counter::{CounterId, CounterSet};
use crate::error::Conflict;

/// As many requests as there are counters.
const MOST: usize = COUNTERS;

/// Fits `new` beside `kept`.
#[inline(always)]
pub(super) fn place(facts: &Facts, kept: &Image, new: &[Demand], out: &mut [Slot]) -> Result<Program, Conflict> {
    if let ([demand], [slot]) = (new, &mut *out)
        && demand.plain != 0
        && let Some(needs) = place_plain(facts, kept, demand, slot)
    {
        return Ok(Program(needs));
    }
    let mut needs = Needs::NOTHING;
    place_any(facts, kept, new, out, &mut needs)?;
    Ok(Program(needs))
}

/// Requests of any kind. What they need is filled in, so that the short way need not pass it through memory.
#[inline(never)]
fn place_any(facts: &Facts, kept: &Image, new: &[Demand], out: &mut [Slot], needs: &mut Needs) -> Result<(), Conflict> {
    let one = match (new, &mut *out) {
        ([demand], [slot]) => place_one(facts, kept, demand, slot),
        _ => None,
    };
    *needs = match one {
        Some(needs) => needs,
        None => place_several(facts, kept, new, out)?,
    };
    Ok(())
}

/// A plain event needs nothing on PMC1 to PMC4; the last two may count only while CTRL\[RUN\] is set.
#[inline(always)]
fn place_plain(facts: &Facts, kept: &Image, demand: &Demand, slot: &mut Slot) -> Option<Needs> {
    let free = facts.usable.without(kept.occupied()).and(CounterSet::from_bits(demand.reached.into()));
    let free = if kept.needs_no_others() { free } else { left_by(kept, free)? };
    let counter = free.highest()?;
    *slot = Slot { counter, partner: None, bits: demand.plain_on(counter).to_bits() };
    Some(if FIRST_FOUR.contains(counter) { Needs::NOTHING } else { Needs::run(true) })
}

/// Those of these counters that what is there leaves to a plain event; `None` if POWER9's PMC4 is not its own.
#[inline(never)]
fn left_by(kept: &Image, free: CounterSet) -> Option<CounterSet> {
    if kept.selects_bank() {
        None
    } else if kept.runs_always() {
        Some(free)
    } else {
        Some(free.and(FIRST_FOUR))
    }
}

/// One request, on the highest counter that any of its ways reaches; `None` if there is none.
fn place_one(facts: &Facts, kept: &Image, demand: &Demand, slot: &mut Slot) -> Option<Needs> {
    let (free, needed) = (facts.usable.without(kept.occupied()), needed(facts, kept));
    let mut ways = NO_WAYS;
    demand.find_ways(facts, selects_bank(facts, &needed, slice::from_ref(demand)), &mut ways);
    let counter = reached(&ways, &needed).and(free).highest()?;
    settle(&ways, &needed, counter, slot)
}

/// What is needed by what is there. POWER9's PMC4 may be there with an event that is of no bank.
#[inline(always)]
fn needed(facts: &Facts, kept: &Image) -> Needs {
    let needs = kept.needs();
    let is_taken = matches!(facts.generation, Generation::Power9) && !kept.occupied().and(FOURTH).is_empty();
    if is_taken && !needs.has_bank() { needs.and(Needs::no_bank()) } else { needs }
}

/// Does POWER9's PMC4 have to select a bank of the caches' events?
#[inline(always)]
fn selects_bank(facts: &Facts, needed: &Needs, new: &[Demand]) -> bool {
    matches!(facts.generation, Generation::Power9) && (needed.has_bank() || new.iter().any(Demand::is_of_bank))
}

/// The counters that ways reach which agree with what is needed.
#[inline(always)]
fn reached(ways: &Ways, needed: &Needs) -> CounterSet {
    let reached = |way: &Selection| if way.needs.agrees(needed) { way.counters() } else { CounterSet::EMPTY };
    ways.iter().fold(CounterSet::EMPTY, |set, way| set.or(reached(way)))
}

/// Fills the slot of a request that has got this counter; what the way there needs.
#[inline(always)]
fn settle(ways: &Ways, needed: &Needs, counter: CounterId, slot: &mut Slot) -> Option<Needs> {
    let way = ways.iter().find(|way| way.counters().contains(counter) && way.needs.agrees(needed))?;
    *slot = Slot { counter, partner: None, bits: way.own.to_bits() };
    Some(way.needs)
}

#[inline(never)]
fn place_several(facts: &Facts, kept: &Image, new: &[Demand], out: &mut [Slot]) -> Result<Needs, Conflict> {
    let (free, needed) = (facts.usable.without(kept.occupied()), needed(facts, kept));
    let selects_bank = selects_bank(facts, &needed, new);
    let mut ways = [NO_WAYS; MOST];
    for (ways, demand) in ways.iter_mut().zip(new) {
        demand.find_ways(facts, selects_bank, ways);
    }
    match ways.get(..new.len()) {
        Some(ways) if agree(ways, &needed) => match_all(free, &needed, ways, out),
        _ => None,
    }
    .map_or_else(|| search(facts, kept, new, out), Ok)
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

/// Requests that agree are matched with counters; `None` if these do not suffice.
fn match_all(free: CounterSet, needed: &Needs, ways: &[Ways], out: &mut [Slot]) -> Option<Needs> {
    assign::match_masks(free, ways, |ways| reached(ways, needed), out).ok()?;
    let mut needs = Needs::NOTHING;
    for (slot, ways) in out.iter_mut().zip(ways) {
        needs = needs.and(settle(ways, needed, slot.counter, slot)?);
    }
    Some(needs)
}

/// Chooses among the ways, field by field; says which is in the way, if one is. Of more requests than
/// there are counters one too many says enough.
#[cold]
#[inline(never)]
fn search(facts: &Facts, kept: &Image, new: &[Demand], out: &mut [Slot]) -> Result<Needs, Conflict> {
    let (free, needed) = (facts.usable.without(kept.occupied()), needed(facts, kept));
    let selects_bank = selects_bank(facts, &needed, new);
    let mut demands = [assign::Demand::<WAYS, FIELDS>::default(); MOST + 1];
    for (demand, new) in demands.iter_mut().zip(new) {
        let mut ways = NO_WAYS;
        new.find_ways(facts, selects_bank, &mut ways);
        demand.ways = ways.map(|way| way.way());
    }
    let agrees = |field: &Field| Needs::of_field(field).agrees(&needed);
    let placement = assign::search(free, agrees, &demands[..new.len().min(MOST + 1)], out)?;
    Ok(placement.fields().map(Needs::of_field).fold(Needs::NOTHING, Needs::and))
}
