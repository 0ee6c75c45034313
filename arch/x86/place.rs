//! Which request on which counter, where each takes one: what both vendors' drivers have in common.

use super::Demand;
use crate::contract::{Slot, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::family;

/// Gives each of `new` a counter of its own, of those that are `free`. A slot's bits are what `bits` makes of the
/// demand's word on the counter that it was given.
///
/// # Errors
/// The requests that compete for too few counters.
#[inline(always)]
pub(super) fn place_each(
    free: CounterSet,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
    mut bits: impl FnMut(CounterId, u64) -> u64,
) -> Result<(), Conflict> {
    let mut open = free;
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        let Some(counter) = demand.counters.and(open).highest() else {
            return match_all(free, new, steps, out, bits);
        };
        open = open.without(counter.only());
        *slot = Slot { counter, partner: None, bits: bits(counter, demand.word) };
    }
    Ok(())
}

/// The same where requests have to make room for each other.
#[cold]
#[inline(never)]
fn match_all(
    free: CounterSet,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
    mut bits: impl FnMut(CounterId, u64) -> u64,
) -> Result<(), Conflict> {
    family::place_each(free, new, steps, out, |demand| demand.counters, |demand, counter| bits(counter, demand.word))
}
