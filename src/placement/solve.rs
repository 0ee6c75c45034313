//! How a family has a problem solved: the requests are put into a table, and a search places them.

use super::bits::all;
use super::budget::Budget;
use super::constraints::{Constraints, Ignored};
use super::explain::explain;
use super::failure::Failure;
use super::matching::MOST;
use super::register::Takes;
use super::search::Search;
use super::table::{PREPARATION, Table};
use crate::contract::{Slot, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet, Requests};

/// Gives each request one of its ways, on counters that are `free`.
///
/// A slot's counter and partner are filled in, and [`Slot::bits`] is the number of the way. `slots` is as long as the
/// problem. If there is a placement it is found, unless that takes more steps.
///
/// # Errors
/// The requests that cannot be together, and what they compete for; [`Contention::Effort`] if the steps are used up. Without
/// steps to explain it, the requests and counters are those that the search had looked at.
/// More than 64 requests are always in conflict. `slots` is untouched.
pub fn solve<P: Constraints>(free: CounterSet, problem: &P, steps: Steps, slots: &mut [Slot]) -> Result<(), Conflict> {
    solve_sparing(CounterSet::EMPTY, free, problem, steps, slots)
}

/// Like [`solve`]. If the placement takes one of the counters `last`, another one is looked for that does not, in the steps
/// that are left.
///
/// # Errors
/// As [`solve`].
pub fn solve_sparing<P: Constraints>(
    last: CounterSet,
    free: CounterSet,
    problem: &P,
    steps: Steps,
    slots: &mut [Slot],
) -> Result<(), Conflict> {
    if problem.length() > MOST {
        return Err(Conflict::new(Requests::TOO_MANY, Contention::Counters(free)));
    }
    let (last, free, requests) = (last.bits(), free.bits(), all(problem.length()));
    let mut budget = Budget(steps.search());
    let mut found = find(problem, free, requests, &mut budget, slots);
    if found.is_ok() && slots.iter().any(|slot| slot.occupies().bits() & last != 0) {
        found = find(problem, free & !last, requests, &mut budget, slots).or(Ok(()));
    }
    found.map_err(|failure| match failure {
        Failure::Impossible { .. } if steps.explain() > 0 => explain(CounterSet::from_bits(free), problem, steps),
        failure => failure.over_counters(requests),
    })
}

/// Puts the requests into a table, unless there are more than counters, and searches.
fn find<P: Constraints>(
    problem: &P,
    free: u64,
    requests: u64,
    budget: &mut Budget,
    slots: &mut [Slot],
) -> Result<(), Failure> {
    if requests.count_ones() > free.count_ones() {
        let too_many = all(free.count_ones() as usize + 1);
        return Err(Failure::Impossible { requests: too_many, counters: free });
    }
    budget.spend(PREPARATION)?;
    let mut table = Table::EMPTY;
    table.fill(problem, free, requests, Ignored::Nothing, budget)?;
    search(&table, budget, slots)
}

/// Searches, and notes what was found in the slots.
#[inline(never)]
fn search(table: &Table, budget: &mut Budget, slots: &mut [Slot]) -> Result<(), Failure> {
    let mut search = Search::of(table, table.requests);
    search.run(budget)?;
    for (request, slot) in slots.iter_mut().enumerate() {
        let (way, counter) = (search.way(request), search.counter(request));
        let takes = if table.pairs >> way & 1 == 0 { Takes::One } else { Takes::Pair };
        let partner = if takes == Takes::Pair { CounterId::new(counter.number() + 1) } else { None };
        *slot = Slot { counter, partner, bits: table.way(way).number.into() };
    }
    Ok(())
}
