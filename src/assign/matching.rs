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

/// As many requests as a unit can have counters, and a [`Conflict`] bits.
const MOST: usize = 64;

/// Where a request's counter is noted.
pub(super) trait Seat {
    fn taken(&self) -> CounterId;
    fn take(&mut self, counter: CounterId);
}

impl Seat for Slot {
    #[inline(always)]
    fn taken(&self) -> CounterId {
        self.counter
    }

    #[inline(always)]
    fn take(&mut self, counter: CounterId) {
        self.counter = counter;
    }
}

impl Seat for CounterId {
    #[inline(always)]
    fn taken(&self) -> CounterId {
        *self
    }

    #[inline(always)]
    fn take(&mut self, counter: CounterId) {
        *self = counter;
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
                seat.take(counter);
            }
            None => return Board::new(free, open, demands, counters, seats).finish(request),
        }
    }
    Ok(())
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
    /// The requests of the walk, in the order in which it came to them.
    visited: [u8; MOST],
}

impl<'a, D, C: Fn(&D) -> CounterSet, S: Seat> Board<'a, D, C, S> {
    fn new(free: CounterSet, open: CounterSet, demands: &'a [D], counters: C, seats: &'a mut [S]) -> Self {
        Self { free, open, demands, counters, seats, owner: [0; MOST], visited: [0; MOST] }
    }

    /// Places `first` and the requests after it; those before it have their seats.
    #[cold]
    #[inline(never)]
    fn finish(mut self, first: usize) -> Result<(), Conflict> {
        for (request, seat) in self.seats.iter().enumerate().take(first) {
            self.owner[seat.taken().index()] = request as u8;
        }
        for request in first..self.demands.len() {
            match self.reach(request).and(self.open).highest() {
                Some(counter) => self.give(counter, request),
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

    #[inline(always)]
    fn give(&mut self, counter: CounterId, request: usize) {
        self.open = self.open.without(counter.only());
        self.owner[counter.index()] = request as u8;
        if let Some(seat) = self.seats.get_mut(request) {
            seat.take(counter);
        }
    }

    /// Finds a counter for a request whose own are all owned, by moving their owners.
    fn make_room(&mut self, request: usize) -> Result<(), Conflict> {
        let mut reached = self.reach(request);
        let mut frontier = reached;
        let mut requests = 1 << (request % MOST);
        let mut length = self.visit(0, request);
        while let Some(counter) = frontier.lowest() {
            frontier = frontier.without(counter.only());
            let owner = usize::from(self.owner[counter.index()]);
            requests |= 1 << (owner % MOST);
            length = self.visit(length, owner);
            let new = self.reach(owner).without(reached);
            if let Some(counter) = new.and(self.open).highest() {
                self.shift(counter, request, length);
                return Ok(());
            }
            reached = reached.or(new);
            frontier = frontier.or(new);
        }
        Err(Conflict { requests, over: Contention::Counters(reached) })
    }

    #[inline(always)]
    fn visit(&mut self, length: usize, request: usize) -> usize {
        self.visited[length % MOST] = request as u8;
        length + 1
    }

    /// Moves along the walk: whoever could use `counter` takes it and leaves its own to another
    /// who was visited before, until `request` has one.
    #[inline(always)]
    fn shift(&mut self, mut counter: CounterId, request: usize, length: usize) {
        for _ in 0..length {
            let mover = self.earliest(counter, length).unwrap_or(request);
            let left = self.seats.get(mover).map_or(counter, Seat::taken);
            self.give(counter, mover);
            if mover == request {
                return;
            }
            counter = left;
        }
    }

    /// The first request of the walk that could use this counter.
    #[inline(always)]
    fn earliest(&self, counter: CounterId, length: usize) -> Option<usize> {
        let walk = self.visited.iter().take(length).copied().map(usize::from);
        walk.into_iter().find(|&request| self.reach(request).contains(counter))
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
        let conflict = Conflict { requests: 0b1110, over: Contention::Counters(CounterSet::from_bits(0b0011)) };
        assert_eq!(place(0b1111, [0b1111, 0b0011, 0b0011, 0b0011]), Err(conflict));
    }

    #[test]
    fn a_request_without_a_free_counter_is_a_conflict_by_itself() {
        let conflict = Conflict { requests: 0b10, over: Contention::Counters(CounterSet::EMPTY) };
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
