//! The image of what the counters are configured with, and the placement of requests.

use super::asked::COUNTERS;
use super::encode::Demand;
use crate::contract::{Slot, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet};
use crate::family::Selections;
use crate::placement;

/// What the counters are configured with, 0 if that is not known, and the counters that may run.
pub(super) type Image = Selections<COUNTERS>;

/// cycle and instret, everywhere.
const FIXED: CounterSet = CounterSet::from_bits(0b101);
/// The counters by which placement is done: cycle and instret come above the others, so that these stay free.
const TURN: u32 = 3;

/// Places `new` requests on `free` counters: each on the one that its event prefers, if that makes a placement.
#[inline(always)]
pub(super) fn place(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    if !place_as_preferred(free, new, out) {
        for (demand, slot) in new.iter().zip(out.iter_mut()) {
            slot.bits = turned(demand.counters).bits();
        }
        placement::match_masks(turned(free), steps, out).map_err(|conflict| back_in_conflict(&conflict))?;
        out.iter_mut().for_each(|slot| slot.counter = back(slot.counter));
    }
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = demand.selection;
    }
    Ok(())
}

/// Returns false if one of them finds no counter after the others.
fn place_as_preferred(free: CounterSet, new: &[Demand], out: &mut [Slot]) -> bool {
    let mut open = free;
    for (demand, slot) in new.iter().zip(out) {
        let Some(counter) = preferred(demand, open) else { return false };
        open = open.without(counter.only());
        (slot.counter, slot.partner) = (counter, None);
    }
    true
}

/// Returns the counter of `open` that a request prefers: cycle or instret, which no other event can use; or the first from
/// one on that depends on its event. So the events of several threads stay configured beside each other, where there is
/// room, and a switch between them configures nothing.
fn preferred(demand: &Demand, open: CounterSet) -> Option<CounterId> {
    let able = demand.counters.and(open);
    if let Some(fixed) = able.and(FIXED).highest() {
        return Some(fixed);
    }
    let others = demand.counters.without(FIXED);
    let first = others.lowest()?.number() as u32 + demand.number().checked_rem(others.len())?;
    let distance = CounterSet::from_bits(able.bits().rotate_right(first)).lowest()?;
    CounterId::new((first as u8 + distance.number()) & 63)
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
