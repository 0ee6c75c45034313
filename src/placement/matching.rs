//! How requests for one counter each are matched with counters: by augmenting paths.
//!
//! Each request takes the highest counter that is open, since restricted events sit on the low ones and fixed counters
//! on the high ones. For a request that finds none open others make room: a breadth-first walk goes from the request
//! through the counters that it could use, their owners, and the counters that those could use instead. The walk
//! visits each counter once, so a placement of n requests takes at most 2 * n * (n + 3) steps.
//!
//! A walk that ends without an open counter has found as many owners as counters, and one request more: the conflict.
//! If any one of its requests is left out, the others fit.

use super::bits::{all, each, highest, lowest};
use super::budget::Budget;
use super::failure::Failure;
use crate::contract::{Slot, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet, Requests};

/// The steps that it takes to note a request, and to give it a counter that is open.
const REQUEST: u32 = 5;

/// The steps that it takes to visit a counter on a walk.
const VISIT: u32 = 3;

/// As many requests as a unit can have counters, and a [`Conflict`] bits.
pub(super) const MOST: usize = 64;

/// Gives each slot one counter of its own, from those that are `free`.
///
/// [`Slot::bits`] says which counters a slot can use, one bit each; the caller replaces it afterwards. A placement is
/// found if there is one and the steps suffice; 2 * n * (n + 3) of them always do for n counters.
///
/// # Errors
/// The requests that compete for too few counters, and those counters; [`Contention::Effort`] if the steps are used up.
/// Of more than 64 requests all are in conflict. The counters in `slots` are of no use then.
#[inline(never)]
pub fn match_masks(free: CounterSet, steps: Steps, slots: &mut [Slot]) -> Result<(), Conflict> {
    let mut open = free;
    for slot in slots.iter_mut() {
        let Some(counter) = CounterSet::from_bits(slot.bits).and(open).highest() else {
            return make_room(free, steps, slots);
        };
        open = open.without(counter.only());
        (slot.counter, slot.partner) = (counter, None);
    }
    Ok(())
}

/// The same for requests that have to make room for each other.
#[cold]
#[inline(never)]
fn make_room(free: CounterSet, steps: Steps, slots: &mut [Slot]) -> Result<(), Conflict> {
    if slots.len() > MOST {
        return Err(Conflict::new(Requests::TOO_MANY, Contention::Counters(free)));
    }
    let mut matching = Matching::new(free.bits());
    let mut budget = Budget(steps.search());
    let everybody = |failure: Failure| failure.over_counters(all(slots.len()));
    budget.spend(REQUEST * slots.len() as u32).map_err(everybody)?;
    for (request, slot) in slots.iter().enumerate() {
        matching.want(request, slot.bits & free.bits());
        matching.assign(request, &mut budget).map_err(everybody)?;
    }
    for (request, slot) in slots.iter_mut().enumerate() {
        (slot.counter, slot.partner) = (matching.counter(request), None);
    }
    Ok(())
}

/// Which request has which counter.
pub(super) struct Matching {
    /// The counters that a request can use.
    wanted: [u64; MOST],
    /// The counter of a request.
    counters_of: [u8; MOST],
    /// The request that has a counter.
    owners: [u8; MOST],
    /// The requests that have a counter.
    placed: u64,
    /// The counters that nobody has.
    open: u64,
}

impl Matching {
    /// Nobody has any of these counters.
    pub(super) const fn new(open: u64) -> Self {
        Self { wanted: [0; MOST], counters_of: [0; MOST], owners: [0; MOST], placed: 0, open }
    }

    /// Notes which counters a request can use. If it has another, it gives that back.
    #[inline]
    pub(super) fn want(&mut self, request: usize, counters: u64) {
        self.wanted[request % MOST] = counters;
        let counter = 1 << (self.counters_of[request % MOST] % 64);
        if self.placed & 1 << request != 0 && counter & counters == 0 {
            self.placed &= !(1 << request);
            self.open |= counter;
        }
    }

    /// Returns those of these requests that have no counter.
    pub(super) const fn without_counter(&self, requests: u64) -> u64 {
        requests & !self.placed
    }

    /// Returns the counter of a request that has one.
    pub(super) fn counter(&self, request: usize) -> CounterId {
        CounterId::new(self.counters_of[request % MOST] % 64).unwrap_or(CounterId::ZERO)
    }

    /// Closes every counter but these.
    pub(super) fn keep_open(&mut self, counters: u64) {
        self.open &= counters;
    }

    /// Moves `request` to `counter`, displaces the request that holds it, and frees the counter that `request` had.
    pub(super) fn take(&mut self, counter: usize, request: usize) {
        let was = self.placed & 1 << request;
        let left = self.give(counter, request);
        if was != 0 && left != counter {
            self.open(left);
        }
    }

    /// Opens a counter that nobody has.
    pub(super) fn open(&mut self, counter: usize) {
        self.open |= 1 << counter;
    }

    /// Finds a counter for a request that has none, by moving others if it must.
    pub(super) fn assign(&mut self, request: usize, budget: &mut Budget) -> Result<(), Failure> {
        let own = self.wanted[request % MOST];
        match highest(own & self.open) {
            Some(counter) => _ = self.give(counter, request),
            None => self.walk(request, own, budget)?,
        }
        Ok(())
    }

    /// Gives a request this counter. Returns the one that it had last.
    pub(super) fn give(&mut self, counter: usize, request: usize) -> usize {
        self.owners[counter % MOST] = request as u8;
        self.open &= !(1 << counter);
        self.placed |= 1 << request;
        usize::from(core::mem::replace(&mut self.counters_of[request % MOST], counter as u8))
    }

    /// Moves the owners of a request's own counters, and those of the counters that they move to, until one is open.
    #[inline(never)]
    fn walk(&mut self, request: usize, own: u64, budget: &mut Budget) -> Result<(), Failure> {
        let mut came = [0; MOST];
        let (mut reached, mut frontier, mut requests) = (own, own, 1 << request);
        while let Some(counter) = lowest(frontier) {
            budget.spend(VISIT)?;
            frontier &= frontier - 1;
            let owner = usize::from(self.owners[counter % MOST]);
            requests |= 1 << owner;
            let new = self.wanted[owner % MOST] & !reached;
            if let Some(counter) = highest(new & self.open) {
                let left = self.give(counter, owner);
                self.shift(&came, left, own, request);
                return Ok(());
            }
            for counter in each(new) {
                came[counter % MOST] = owner as u8;
            }
            reached |= new;
            frontier |= new;
        }
        Err(Failure::Impossible { requests, counters: reached })
    }

    /// Goes back along a walk: whoever came to a counter that was left takes it and leaves its own, until one is left
    /// that the request itself can use.
    fn shift(&mut self, came: &[u8; MOST], mut left: usize, own: u64, request: usize) {
        for _ in 0..MOST {
            if own & 1 << left != 0 {
                break;
            }
            left = self.give(left, usize::from(came[left % MOST]));
        }
        self.give(left, request);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counters chosen, by number.
    fn place<const N: usize>(free: u64, masks: [u64; N]) -> Result<[u8; N], Conflict> {
        let mut slots = masks.map(|bits| Slot { bits, ..Slot::EMPTY });
        match_masks(CounterSet::from_bits(free), Steps::OPEN, &mut slots)?;
        Ok(slots.map(|slot| slot.counter.number()))
    }

    fn conflict(requests: u64, counters: u64) -> Conflict {
        let over = Contention::Counters(CounterSet::from_bits(counters));
        Conflict::new(Requests::from_bits(requests), over)
    }

    #[test]
    fn a_fixed_counter_is_preferred() {
        assert_eq!(place(u64::MAX, [0x1_0000_000F]), Ok([32]));
    }

    #[test]
    fn a_counter_that_is_not_free_is_not_given() {
        assert_eq!(place(0b0111, [0b1110, 0b1111]), Ok([2, 1]));
    }

    #[test]
    fn an_early_request_makes_room_for_a_restricted_one() {
        assert_eq!(place(0b11, [0b11, 0b10]), Ok([0, 1]));
    }

    #[test]
    fn room_is_made_through_a_chain_of_owners() {
        assert_eq!(place(0b1111, [0b1100, 0b0110, 0b0011, 0b1000]), Ok([2, 1, 0, 3]));
    }

    #[test]
    fn a_conflict_names_who_competes_and_nobody_else() {
        let conflict = conflict(0b1110, 0b0011);
        assert_eq!(place(0b1111, [0b1111, 0b0011, 0b0011, 0b0011]), Err(conflict));
    }

    #[test]
    fn a_request_without_a_free_counter_is_a_conflict_by_itself() {
        let conflict = conflict(0b10, 0);
        assert_eq!(place(0b0111, [0b0111, 0b1000]), Err(conflict));
    }

    #[test]
    fn sixty_four_requests_fill_sixty_four_counters() {
        let mut seen = place(u64::MAX, [u64::MAX; 64]).unwrap();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..64));
    }

    #[test]
    fn a_sixty_fifth_request_is_a_conflict() {
        let conflict = place(u64::MAX, [u64::MAX; 65]).unwrap_err();
        assert_eq!(conflict.over, Contention::Counters(CounterSet::first(64)));
    }

    #[test]
    fn out_of_steps_it_says_so() {
        let mut slots = [0b11, 0b10].map(|bits| Slot { bits, ..Slot::EMPTY });
        let conflict = match_masks(CounterSet::first(2), Steps::new(0, 0), &mut slots).unwrap_err();
        assert_eq!(conflict, Conflict::new(Requests::from_bits(0b11), Contention::Effort));
    }
}
