//! Why there is no placement: the fewest requests that cannot be together, and over what.
//!
//! It is worked out only after a search has failed, and for a stated number of steps; an explanation that is broken off
//! names more requests than it takes, or counters where a register is the reason.

use super::bits::{all, each};
use super::budget::Budget;
use super::constraints::{Choice, Constraints, Ignored};
use super::failure::Failure;
use super::matching::MOST;
use super::search::Search;
use super::table::{PREPARATION, Table, starts};
use crate::contract::Steps;
use crate::event::{Conflict, Contention, CounterSet, Requests};

/// Explains why the requests of a problem cannot be together.
#[cold]
#[inline(never)]
pub(crate) fn explain<P: Constraints>(free: CounterSet, problem: &P, steps: Steps) -> Conflict {
    if problem.length() > MOST {
        return Conflict::new(Requests::TOO_MANY, Contention::Counters(free));
    }
    let (free, requests, mut budget) = (free.bits(), all(problem.length()), Budget(steps.explain()));
    let mut table = Table::EMPTY;
    let is_full = budget
        .spend(PREPARATION)
        .and_then(|()| table.fill(problem, free, requests, Ignored::Nothing, &mut budget))
        .is_ok();
    let requests = if is_full { fewest(&table, requests, &mut budget) } else { requests };
    let over =
        contention(problem, free, requests, &mut budget).unwrap_or(Contention::Counters(CounterSet::from_bits(free)));
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
        match Search::of(table, others).run(budget) {
            Err(Failure::Impossible { requests: stuck, .. }) => requests = stuck,
            Err(Failure::Exhausted) => break,
            Ok(()) => {}
        }
    }
    requests
}

/// What these requests compete for: counters, if they would not fit without any register either.
///
/// # Errors
/// [`Failure::Exhausted`] if the steps are used up before it is known.
fn contention<P: Constraints>(
    problem: &P,
    free: u64,
    requests: u64,
    budget: &mut Budget,
) -> Result<Contention, Failure> {
    let counters = Contention::Counters(usable(problem, free, requests, budget)?);
    if fails(problem, free, requests, Ignored::Everything, budget) {
        return Ok(counters);
    }
    let (mut first, mut tried) = (None, 0u64);
    for register in each(requests).flat_map(|request| problem.registers(request)) {
        if budget.spend(1).is_err() {
            break;
        }
        let bit = 1 << (register.number() % 64);
        if tried & bit == 0 && !fails(problem, free, requests, Ignored::Register(register), budget) {
            return Ok(Contention::Register(register.name()));
        }
        first = first.or(Some(register));
        tried |= bit;
    }
    Ok(first.map_or(counters, |register| Contention::Register(register.name())))
}

/// Returns true if the requests do not fit, or that takes too many steps.
fn fails<P: Constraints>(problem: &P, free: u64, requests: u64, ignored: Ignored, budget: &mut Budget) -> bool {
    if budget.spend(PREPARATION).is_err() {
        return true;
    }
    let mut table = Table::EMPTY;
    let is_full = table.fill(problem, free, requests, ignored, budget);
    is_full.and_then(|()| Search::of(&table, requests).run(budget)).is_err()
}

/// The free counters from which any of the requests could start.
///
/// # Errors
/// [`Failure::Exhausted`].
fn usable<P: Constraints>(problem: &P, free: u64, requests: u64, budget: &mut Budget) -> Result<CounterSet, Failure> {
    let mut set = 0;
    for request in each(requests) {
        for way in 0.. {
            budget.spend(1)?;
            let Some((counters, takes)) = problem.way(Choice { request, way }) else { break };
            set |= starts(counters.bits(), takes, free);
        }
    }
    Ok(CounterSet::from_bits(set))
}
