//! How requests for one counter each are matched with counters: by augmenting paths.
//!
//! Each request takes the highest counter that is open, since restricted events sit on the low
//! ones and fixed counters on the high ones. The first request that finds none open hands over to
//! a [`Board`], on which requests make room for each other: a breadth-first walk from the request
//! through the counters it could use, their owners, and the counters those could use instead. The
//! walk visits each request once, so a placement of n requests takes at most n * n steps.
//!
//! A walk that ends without an open counter has found as many owners as counters, and one request
//! more: the conflict. Take any one of its requests away, and the others fit.

use crate::backend::Slot;
use crate::counter::{CounterId, CounterSet};
use crate::error::{Conflict, Contention};
use crate::requests::Requests;

/// As many requests as a unit can have counters, and a [`Conflict`] bits.
pub(super) const MOST: usize = 64;

/// Where a request's counter is noted.
pub(super) trait Seat {
    fn taken(&self) -> CounterId;
    fn replace(&mut self, counter: CounterId) -> CounterId;
}

impl Seat for Slot {
    #[inline(always)]
    fn taken(&self) -> CounterId {
        self.counter
    }

    #[inline(always)]
    fn replace(&mut self, counter: CounterId) -> CounterId {
        core::mem::replace(&mut self.counter, counter)
    }
}

impl Seat for CounterId {
    #[inline(always)]
    fn taken(&self) -> CounterId {
        *self
    }

    #[inline(always)]
    fn replace(&mut self, counter: CounterId) -> CounterId {
        core::mem::replace(self, counter)
    }
}

/// Gives each demand one counter of its own, from those that are `free`.
///
/// `counters` says which counters a demand could use; `slots` is as long as `demands`, and gets
/// the counters. Nothing else in a slot is touched. If there is a placement it is found.
///
/// # Errors
/// The demands that compete for too few counters, and those counters. The demands from number 64
/// on have no bit in a [`Conflict`]; no unit has counters for so many. `slots` holds nothing of
/// use then.
#[inline]
pub fn match_masks<D>(
    free: CounterSet,
    demands: &[D],
    counters: impl Fn(&D) -> CounterSet,
    slots: &mut [Slot],
) -> Result<(), Conflict> {
    seat(free, demands, counters, slots)
}

/// [`match_masks`], wherever the counters are noted.
#[inline(always)]
pub(super) fn seat<D, C: Fn(&D) -> CounterSet, S: Seat>(
    free: CounterSet,
    demands: &[D],
    counters: C,
    seats: &mut [S],
) -> Result<(), Conflict> {
    let mut open = free;
    for (request, (demand, seat)) in demands.iter().zip(seats.iter_mut()).enumerate() {
        match counters(demand).and(open).highest() {
            Some(counter) => {
                open = open.without(counter.only());
                seat.replace(counter);
            }
            None => return finish(free, open, demands, counters, seats, request),
        }
    }
    Ok(())
}

/// [`Board::finish`], out of the way of requests that never need it.
#[cold]
#[inline(never)]
fn finish<D, C: Fn(&D) -> CounterSet, S: Seat>(
    free: CounterSet,
    open: CounterSet,
    demands: &[D],
    counters: C,
    seats: &mut [S],
    first: usize,
) -> Result<(), Conflict> {
    Board { free, open, demands, counters, seats, owner: [0; MOST], came: [0; MOST] }.finish(first)
}

/// Who owns which counter, once requests have to make room for each other.
struct Board<'a, D, C, S> {
    free: CounterSet,
    open: CounterSet,
    demands: &'a [D],
    counters: C,
    seats: &'a mut [S],
    /// The request that owns a counter; of use for counters that are free and not open.
    owner: [u8; MOST],
    /// The request through which the walk came to a counter.
    came: [u8; MOST],
}

impl<D, C: Fn(&D) -> CounterSet, S: Seat> Board<'_, D, C, S> {
    /// Places `first` and the requests after it; those before it have their seats.
    #[inline(always)]
    fn finish(&mut self, first: usize) -> Result<(), Conflict> {
        for (request, seat) in self.seats.iter().enumerate().take(first) {
            self.owner[seat.taken().index()] = request as u8;
        }
        for request in first..self.demands.len() {
            match self.reach(request).and(self.open).highest() {
                Some(counter) => _ = self.give(counter, request),
                None => self.make_room(request)?,
            }
        }
        Ok(())
    }

    /// The counters that a request could use, whoever has them.
    #[inline(always)]
    fn reach(&self, request: usize) -> CounterSet {
        self.demands.get(request).map_or(CounterSet::EMPTY, &self.counters).and(self.free)
    }

    /// Notes the owner of a counter; what it had before is another's to take.
    #[inline(always)]
    fn give(&mut self, counter: CounterId, request: usize) -> CounterId {
        self.owner[counter.index()] = request as u8;
        self.open = self.open.without(counter.only());
        self.seats.get_mut(request).map_or(counter, |seat| seat.replace(counter))
    }

    /// Finds a counter for a request whose own are all owned, by moving their owners.
    #[inline(always)]
    fn make_room(&mut self, request: usize) -> Result<(), Conflict> {
        let own = self.reach(request);
        let (mut reached, mut frontier) = (own, own);
        let mut requests = 1 << (request % MOST);
        while let Some(counter) = frontier.lowest() {
            frontier = frontier.without(counter.only());
            let owner = self.owner[counter.index()];
            requests |= 1 << (owner % MOST as u8);
            let new = self.reach(usize::from(owner)).without(reached);
            if let Some(counter) = new.and(self.open).highest() {
                let left = self.give(counter, usize::from(owner));
                self.shift(left, own, request);
                return Ok(());
            }
            self.come(new, owner);
            reached = reached.or(new);
            frontier = frontier.or(new);
        }
        Err(Conflict { requests: Requests::from_bits(requests), over: Contention::Counters(reached) })
    }

    #[inline(always)]
    fn come(&mut self, new: CounterSet, through: u8) {
        for counter in new {
            self.came[counter.index()] = through;
        }
    }

    /// Goes back along the walk: whoever came to a counter that was left takes it and leaves its
    /// own, until one is left that `request` could use.
    #[inline(always)]
    fn shift(&mut self, mut left: CounterId, own: CounterSet, request: usize) {
        for _ in 0..MOST {
            if own.contains(left) {
                break;
            }
            left = self.give(left, usize::from(self.came[left.index()]));
        }
        self.give(left, request);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counters chosen, by number.
    fn place<const N: usize>(free: u64, masks: [u64; N]) -> Result<[u8; N], Conflict> {
        let masks = masks.map(CounterSet::from_bits);
        let mut seats = [CounterId::ZERO; N];
        seat(CounterSet::from_bits(free), &masks, |mask| *mask, &mut seats)?;
        Ok(seats.map(CounterId::number))
    }

    fn conflict(requests: u64, counters: u64) -> Conflict {
        let over = Contention::Counters(CounterSet::from_bits(counters));
        Conflict { requests: Requests::from_bits(requests), over }
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
}
