//! Why there is no placement: the fewest requests that cannot be together, and over what.

use super::demand::{Demand, Field, Register};
use super::search::{EFFORT, Outcome, Respect, Search};
use crate::counter::CounterSet;
use crate::error::{Conflict, Contention};
use crate::requests::Requests;

impl<A: Fn(&Field) -> bool, const WAYS: usize, const FIELDS: usize> Search<'_, A, WAYS, FIELDS> {
    /// Says why the search failed.
    pub(super) fn explain(&mut self) -> Conflict {
        self.effort = EFFORT;
        let requests = self.fewest();
        Conflict { requests: Requests::from_bits(requests.bits()), over: self.contention(requests) }
    }

    /// Leaves out every request without which the others still do not fit.
    fn fewest(&mut self) -> CounterSet {
        let mut requests = self.everybody();
        for request in self.everybody() {
            let fewer = requests.without(request.only());
            if matches!(self.run(fewer, Respect::Everything), Outcome::Impossible) {
                requests = fewer;
            }
        }
        requests
    }

    fn contention(&mut self, requests: CounterSet) -> Contention {
        self.effort = EFFORT;
        if matches!(self.run(requests, Respect::Nothing), Outcome::Impossible) {
            return Contention::Counters(self.usable(requests));
        }
        let decisive =
            |search: &mut Self, register| matches!(search.run(requests, Respect::AllBut(register)), Outcome::Placed(_));
        let mut registers = registers(self.demands, requests);
        let first = registers.clone().next();
        let register = registers.find(|register| decisive(self, register)).or(first);
        match register {
            Some(register) => Contention::Register(register.name()),
            None => Contention::Counters(self.usable(requests)),
        }
    }

    /// The free counters from which any of the requests could start.
    fn usable(&self, requests: CounterSet) -> CounterSet {
        let demands = requests.into_iter().filter_map(|request| self.demands.get(request.index()));
        demands.flat_map(|demand| &demand.ways).fold(CounterSet::EMPTY, |set, way| set.or(way.starts(self.free)))
    }
}

/// The shared registers that the requests' ways need.
fn registers<const WAYS: usize, const FIELDS: usize>(
    demands: &[Demand<WAYS, FIELDS>],
    requests: CounterSet,
) -> impl Iterator<Item = &'static Register> + Clone {
    let demands = requests.into_iter().filter_map(|request| demands.get(request.index()));
    let fields = demands.flat_map(|demand| &demand.ways).flat_map(|way| &way.fields);
    fields.filter(|field| !field.is_nothing()).map(|field| field.register)
}
