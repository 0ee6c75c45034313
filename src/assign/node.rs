//! What a search's decisions leave open: for each request its ways, and whether counters suffice.

use super::demand::{Field, Takes, Way};
use super::matching::{MOST, seat};
use super::search::{Decision, Search};
use crate::counter::{CounterId, CounterSet};

/// Where the decisions lead: the ways that they leave, one bit each.
pub(super) struct Node {
    left: [u32; MOST],
}

impl<'d, A: Fn(&Field) -> bool, const WAYS: usize, const FIELDS: usize> Search<'d, A, WAYS, FIELDS> {
    /// The ways that are left for each request after the decisions.
    pub(super) fn node(&self) -> Node {
        let mut left = [0; MOST];
        for request in self.among {
            left[request.index()] = self.left(request);
        }
        Node { left }
    }

    /// One bit a way.
    pub(super) fn left(&self, request: CounterId) -> u32 {
        let ways = self.demands.get(request.index()).map_or(&[][..], |demand| &demand.ways);
        let open = ways.iter().enumerate().filter(|(_, way)| self.is_open(request, way));
        open.fold(0, |left, (way, _)| left | 1 << way) & self.decided(request).map_or(u32::MAX, |own| 1 << own.way)
    }

    fn is_open(&self, request: CounterId, way: &Way<FIELDS>) -> bool {
        let mut others = self.others(request);
        !way.starts(self.free_for(request)).is_empty()
            && way.fields.iter().all(|field| self.respect.ignores(field) || (self.agrees)(field))
            && others.all(|other| self.way(other).is_none_or(|theirs| !self.clash(way, theirs)))
    }

    /// The decisions about other requests than this.
    fn others(&self, request: CounterId) -> impl Iterator<Item = Decision> {
        let decided = self.decisions.iter().take(self.depth).copied();
        decided.filter(move |decision| decision.request != request.number())
    }

    /// The counters that no other request's pair has.
    pub(super) fn free_for(&self, request: CounterId) -> CounterSet {
        let firsts = self.others(request).filter_map(|decision| decision.first);
        let firsts = firsts.fold(0, |set, first| set | first.only().bits());
        self.free.without(CounterSet::from_bits(firsts | firsts << 1))
    }

    fn clash(&self, one: &Way<FIELDS>, other: &Way<FIELDS>) -> bool {
        let respected = |field: &&Field| !self.respect.ignores(field);
        one.fields.iter().filter(respected).any(|field| other.fields.iter().any(|theirs| !field.agrees(theirs)))
    }

    fn decided(&self, request: CounterId) -> Option<Decision> {
        self.decisions.iter().take(self.depth).copied().find(|decision| decision.request == request.number())
    }

    fn way(&self, decision: Decision) -> Option<&'d Way<FIELDS>> {
        self.demands.get(usize::from(decision.request))?.ways.get(usize::from(decision.way))
    }

    /// The ways that a node leaves a request.
    fn ways(&self, node: &Node, request: CounterId) -> impl Iterator<Item = &'d Way<FIELDS>> {
        let left = node.left[request.index()];
        let ways = self.demands.get(request.index()).map_or(&[][..], |demand| &demand.ways);
        ways.iter().enumerate().filter(move |(way, _)| left & 1 << way != 0).map(|(_, way)| way)
    }

    /// The counters from which a request could start.
    fn starts(&self, node: &Node, request: CounterId) -> CounterSet {
        match self.decided(request).and_then(|decision| decision.first) {
            Some(first) => first.only(),
            None => {
                let free = self.free_for(request);
                self.ways(node, request).fold(CounterSet::EMPTY, |set, way| set.or(way.starts(free)))
            }
        }
    }

    /// The counters that a request would take second, if it takes two in any case.
    fn seconds(&self, node: &Node, request: CounterId) -> Option<CounterSet> {
        let always = self.ways(node, request).all(|way| way.takes == Takes::Pair);
        always.then(|| CounterSet::from_bits(self.starts(node, request).bits() << 1))
    }

    /// Enough counters for everybody, clashes among the undecided aside; first those from which
    /// the requests start, in their order.
    pub(super) fn matching(&self, node: &Node) -> Option<[CounterId; MOST]> {
        let starts = self.among.into_iter().map(|request| self.starts(node, request));
        let seconds = self.among.into_iter().filter_map(|request| self.seconds(node, request));
        let mut wanted = [CounterSet::EMPTY; MOST];
        let mut length = 0;
        for counters in starts.chain(seconds) {
            *wanted.get_mut(length)? = counters;
            length += 1;
        }
        let mut seats = [CounterId::ZERO; MOST];
        seat(self.free, wanted.get(..length)?, |counters| *counters, &mut seats).ok()?;
        Some(seats)
    }

    /// Of the requests that need a decision, the one with the fewest options.
    pub(super) fn most_constrained(&self, node: &Node) -> Option<CounterId> {
        let undecided = self.among.into_iter().filter(|request| self.decided(*request).is_none());
        let options = |request: &CounterId| node.left[request.index()].count_ones();
        undecided.filter(|request| self.is_delicate(node, *request)).min_by_key(options)
    }

    /// Could a matching choose wrongly for this request?
    fn is_delicate(&self, node: &Node, request: CounterId) -> bool {
        let others = || self.among.into_iter().filter(move |other| *other != request);
        let clashes = |way| others().any(|other| self.ways(node, other).any(|theirs| self.clash(way, theirs)));
        self.ways(node, request).any(|way| way.takes == Takes::Pair || clashes(way))
    }
}
