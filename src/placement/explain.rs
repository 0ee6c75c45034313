//! Why there is no placement: the fewest requests that cannot be together, and over what.
//!
//! It is worked out only after a search has failed, and for a stated number of steps; an explanation that is broken off
//! names more requests than it takes, or counters where a register is the reason.

use super::bits::each;
use super::budget::Budget;
use super::failure::Failure;
use super::problem::{Choice, Ignored, Problem};
use super::search::Search;
use super::table::{Table, starts};
use crate::event::{Conflict, Contention, CounterSet, Requests};

/// Explains why these requests of a problem cannot be together.
#[cold]
#[inline(never)]
pub(super) fn explain<P: Problem>(problem: &P, free: u64, requests: u64, mut budget: Budget) -> Conflict {
    let table = Table::of(problem, free, requests, Ignored::Nothing, &mut budget);
    let requests = table.map_or(requests, |table| fewest(&table, requests, &mut budget));
    let over = contention(problem, free, requests, &mut budget);
    Conflict::new(Requests::from_bits(requests), over)
}

/// Leaves out every request without which the others still do not fit.
#[inline(never)]
fn fewest(table: &Table, mut requests: u64, budget: &mut Budget) -> u64 {
    for request in each(requests) {
        let others = requests & !(1 << request);
        if others == requests {
            continue;
        }
        match Search::new(table, others).run(budget) {
            Err(Failure::Impossible { requests: stuck, .. }) => requests = stuck,
            Err(Failure::Exhausted) => break,
            Ok(()) => {}
        }
    }
    requests
}

/// What these requests compete for: counters, if they would not fit without any register either.
fn contention<P: Problem>(problem: &P, free: u64, requests: u64, budget: &mut Budget) -> Contention {
    let mut fails = |ignored| {
        let table = Table::of(problem, free, requests, ignored, budget)?;
        Search::new(&table, requests).run(budget)
    };
    let counters = Contention::Counters(usable(problem, free, requests));
    if fails(Ignored::Everything).is_err() {
        return counters;
    }
    let (mut first, mut tried) = (None, 0u64);
    for register in each(requests).flat_map(|request| problem.registers(request)) {
        let bit = 1 << (register.number() % 64);
        if tried & bit == 0 && fails(Ignored::Register(register)).is_ok() {
            return Contention::Register(register.name());
        }
        first = first.or(Some(register));
        tried |= bit;
    }
    first.map_or(counters, |register| Contention::Register(register.name()))
}

/// The free counters from which any of the requests could start.
pub(super) fn usable<P: Problem>(problem: &P, free: u64, requests: u64) -> CounterSet {
    let ways = each(requests).flat_map(|request| (0..).map_while(move |way| problem.way(Choice { request, way })));
    CounterSet::from_bits(ways.fold(0, |set, (counters, takes)| set | starts(counters.bits(), takes, free)))
}
