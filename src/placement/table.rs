//! Requests and their ways as plain masks: what a search works on, whatever the family.
//!
//! Requests that have the same ways are one kind, and its ways are looked at once. Ways that cannot be together are
//! marked in a mask, so that no register is compared twice.

use super::bits::{all, each};
use super::budget::Budget;
use super::constraints::{Choice, Constraints, Ignored};
use super::failure::Failure;
use super::matching::MOST;
use super::register::Takes;

/// One way to count the requests of a kind.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// The counters from which it can start, of those that are free at first.
    pub(super) starts: u64,
    /// The shared registers that it needs.
    shared: u64,
    /// The ways that it disagrees with, by their numbers in the table.
    pub(super) clashes: u64,
    /// The first way of the kind that takes the same counters: it stands for this one where only counters count.
    pub(super) like: u8,
    /// The kind.
    pub(super) kind: u8,
    /// Its number among the request's ways.
    pub(super) number: u8,
}

/// Requests that are alike.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// The requests, by their positions.
    pub(super) requests: u64,
    /// Their ways, by their numbers in the table.
    pub(super) ways: u64,
}

/// The steps that it takes to clear a table, or a search: each has some 2 kB.
pub(super) const PREPARATION: u32 = 24;

/// The requests and their ways.
pub(super) struct Table {
    /// The counters that are free at first.
    pub(super) free: u64,
    /// The requests that take part.
    pub(super) requests: u64,
    /// The ways that take a pair.
    pub(super) pairs: u64,
    ways: [Way; MOST],
    length: usize,
    kinds: [Kind; MOST],
    many: usize,
    kind_of: [u8; MOST],
}

impl Table {
    /// Puts some requests of a problem into a table, which is empty: [`PREPARATION`] was spent to clear it. It is filled where
    /// it stands, because a copy of it costs as much as the work.
    ///
    /// # Errors
    /// [`Failure::Exhausted`] if that takes too many steps, or if there are more than 64 ways.
    #[inline(never)]
    pub(super) fn fill<P: Constraints>(
        &mut self,
        problem: &P,
        free: u64,
        requests: u64,
        ignored: Ignored,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        (self.free, self.requests) = (free, requests);
        for request in each(requests) {
            if !self.join(problem, request, budget)? {
                self.add(problem, request, ignored, budget)?;
            }
        }
        self.compare(problem, ignored, budget)
    }

    /// No request takes part.
    pub(super) const EMPTY: Self = Self {
        free: 0,
        requests: 0,
        pairs: 0,
        ways: [Way { starts: 0, shared: 0, clashes: 0, like: 0, kind: 0, number: 0 }; MOST],
        length: 0,
        kinds: [Kind { requests: 0, ways: 0 }; MOST],
        many: 0,
        kind_of: [0; MOST],
    };

    /// Adds a request to the kind that it is of, if there is one.
    fn join<P: Constraints>(&mut self, problem: &P, request: usize, budget: &mut Budget) -> Result<bool, Failure> {
        for (number, kind) in self.kinds.iter_mut().take(self.many).enumerate() {
            budget.spend(1)?;
            if problem.are_alike(kind.requests.trailing_zeros() as usize, request) {
                kind.requests |= 1 << request;
                self.kind_of[request % MOST] = number as u8;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a kind with the ways of this request that are open to it.
    fn add<P: Constraints>(
        &mut self,
        problem: &P,
        request: usize,
        ignored: Ignored,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        let first = self.length;
        for number in 0..MOST {
            let choice = Choice { request, way: number };
            let Some((counters, takes)) = problem.way(choice) else { break };
            budget.spend(1)?;
            let starts = starts(counters.bits(), takes, self.free);
            if starts == 0 {
                continue;
            }
            budget.spend(P::STEPS)?;
            if problem.fits(choice, ignored) {
                self.add_way(first, starts, takes, number, problem.shared(choice))?;
            }
        }
        let kind = self.kinds.get_mut(self.many).ok_or(Failure::Exhausted)?;
        *kind = Kind { requests: 1 << request, ways: all(self.length) & !all(first) };
        self.kind_of[request % MOST] = self.many as u8;
        self.many += 1;
        Ok(())
    }

    /// Adds a way of the kind whose first one is `first`.
    fn add_way(&mut self, first: usize, starts: u64, takes: Takes, number: usize, shared: u64) -> Result<(), Failure> {
        let pair = u64::from(takes == Takes::Pair);
        let same = |&other: &usize| self.way(other).starts == starts && self.pairs >> other & 1 == pair;
        let like = (first..self.length).find(same).unwrap_or(self.length) as u8;
        let way = self.ways.get_mut(self.length).ok_or(Failure::Exhausted)?;
        *way = Way { starts, shared, clashes: 0, like, kind: self.many as u8, number: number as u8 };
        self.pairs |= pair << self.length;
        self.length += 1;
        Ok(())
    }

    /// Marks the ways that cannot be together. Those of one request never are.
    fn compare<P: Constraints>(&mut self, problem: &P, ignored: Ignored, budget: &mut Budget) -> Result<(), Failure> {
        if matches!(ignored, Ignored::Everything) || P::STEPS == 0 {
            return Ok(());
        }
        for second in 1..self.length {
            let other = *self.way(second);
            budget.spend(second as u32)?;
            for first in 0..second {
                let one = self.way(first);
                if one.shared & other.shared == 0 || one.kind == other.kind && self.is_one_request(one.kind) {
                    continue;
                }
                budget.spend(P::STEPS)?;
                if !problem.agree(self.choice(one), self.choice(&other), ignored) {
                    self.ways[first % MOST].clashes |= 1 << second;
                    self.ways[second % MOST].clashes |= 1 << first;
                }
            }
        }
        Ok(())
    }

    fn is_one_request(&self, kind: u8) -> bool {
        self.kind(kind).requests.is_power_of_two()
    }

    /// The way as the first request of its kind has it.
    fn choice(&self, way: &Way) -> Choice {
        let request = self.kind(way.kind).requests.trailing_zeros() as usize;
        Choice { request, way: way.number.into() }
    }

    /// Returns the way with this number in the table.
    pub(super) const fn way(&self, number: usize) -> &Way {
        &self.ways[number % MOST]
    }

    /// Returns the kind with this number.
    fn kind(&self, number: u8) -> &Kind {
        &self.kinds[usize::from(number) % MOST]
    }

    /// Returns the kind of a request.
    pub(super) fn kind_of(&self, request: usize) -> &Kind {
        self.kind(self.kind_of[request % MOST])
    }

    /// Returns the kinds of requests.
    pub(super) fn kinds(&self) -> &[Kind] {
        self.kinds.get(..self.many).unwrap_or_default()
    }

    /// Returns how many ways there are.
    pub(super) const fn length(&self) -> usize {
        self.length
    }
}

/// The counters from which a way can start, if no more than these are free.
pub(super) const fn starts(counters: u64, takes: Takes, free: u64) -> u64 {
    match takes {
        Takes::One => counters & free,
        Takes::Pair => counters & free & free >> 1,
    }
}
