//! How requests are placed that take pairs, or have to agree on shared registers.
//!
//! The search decides only what a matching cannot: which way a request goes that could clash with
//! another's, and where a pair sits. After each decision a matching of what is left, which ignores
//! only the clashes among the undecided, says whether to go on; when nothing is left that could
//! clash, that matching is the placement. It decides the request with the fewest options first.
//!
//! Finding fields that agree is hard in general, so the search is bounded: it gives up after
//! [`EFFORT`] matchings. Each takes at most n * n steps for n counters that are wanted.

use super::demand::{Demand, Field, Register, Takes, Way};
use super::matching::MOST;
use crate::backend::Slot;
use crate::counter::{CounterId, CounterSet};
use crate::error::{Conflict, Contention};
use crate::requests::Requests;

/// How many matchings a search makes before it gives up. Explaining a conflict takes at most twice
/// as many again.
pub const EFFORT: u32 = 4096;

/// The way that each demand was given.
#[derive(Clone, Copy, Debug)]
pub struct Placement<'d, const WAYS: usize, const FIELDS: usize> {
    demands: &'d [Demand<WAYS, FIELDS>],
    chosen: [u8; MOST],
}

impl<'d, const WAYS: usize, const FIELDS: usize> Placement<'d, WAYS, FIELDS> {
    /// The way of each demand, in the order of the demands.
    pub fn ways(&self) -> impl Iterator<Item = &'d Way<FIELDS>> {
        let chosen = self.chosen.into_iter().map(usize::from);
        self.demands.iter().zip(chosen).filter_map(|(demand, way)| demand.ways.get(way))
    }

    /// What the ways need in shared registers.
    pub fn fields(&self) -> impl Iterator<Item = &'d Field> {
        self.ways().flat_map(|way| &way.fields).filter(|field| !field.is_nothing())
    }
}

/// Gives each demand one of its ways, on counters that are `free`, and fills its slot.
///
/// `agrees` says whether a field agrees with those of the requests that were placed before. If
/// there is a placement it is found, unless that takes more than [`EFFORT`]. `slots` is as long as
/// `demands`.
///
/// ```
/// use pmu::assign::{Demand, Field, Register, Way, search};
/// use pmu::{Contention, CounterSet, Slot};
///
/// static MODES: Register = Register::new(1, "%pcr");
/// let any = CounterSet::first(2);
/// let user = Demand { ways: [Way::one(any, 0, [Field::new(&MODES, 0b11, 0b01)])] };
/// let both = Demand { ways: [Way::one(any, 0, [Field::new(&MODES, 0b11, 0b11)])] };
/// let mut slots = [Slot::EMPTY; 2];
///
/// assert!(search(any, |_| true, &[user, user], &mut slots).is_ok());
/// let conflict = search(any, |_| true, &[user, both], &mut slots).unwrap_err();
/// assert_eq!(conflict.over, Contention::Register("%pcr"));
/// ```
///
/// # Errors
/// The demands that cannot be together, and no more of them than that takes; what they compete
/// for. More than 64 demands are always a conflict. `slots` is untouched.
pub fn search<'d, const WAYS: usize, const FIELDS: usize>(
    free: CounterSet,
    agrees: impl Fn(&Field) -> bool,
    demands: &'d [Demand<WAYS, FIELDS>],
    slots: &mut [Slot],
) -> Result<Placement<'d, WAYS, FIELDS>, Conflict> {
    const { assert!(WAYS <= 32, "a demand has at most 32 ways") };
    if demands.len() > MOST {
        return Err(Conflict { requests: Requests::TOO_MANY, over: Contention::Counters(free) });
    }
    let mut search = Search::new(free, agrees, demands);
    match search.run(CounterSet::first(demands.len() as u8), Respect::Everything) {
        Outcome::Placed(seats) => Ok(search.settle(&seats, slots)),
        Outcome::Impossible => Err(search.explain()),
        Outcome::GaveUp => Err(search.give_up()),
    }
}

/// Which fields have to agree.
#[derive(Clone, Copy)]
pub(super) enum Respect {
    Everything,
    /// All but those of one register: would the requests fit without it?
    AllBut(&'static Register),
    /// Only counters count.
    Nothing,
}

impl Respect {
    pub(super) fn ignores(self, field: &Field) -> bool {
        match self {
            Self::Everything => false,
            Self::AllBut(register) => field.register.number() == register.number(),
            Self::Nothing => true,
        }
    }
}

pub(super) enum Outcome {
    Placed([CounterId; MOST]),
    Impossible,
    GaveUp,
}

/// A request goes this way; a pair from this counter.
#[derive(Clone, Copy)]
pub(super) struct Decision {
    pub(super) request: u8,
    pub(super) way: u8,
    pub(super) first: Option<CounterId>,
}

/// The search, between decisions.
pub(super) struct Search<'d, A, const WAYS: usize, const FIELDS: usize> {
    pub(super) free: CounterSet,
    pub(super) demands: &'d [Demand<WAYS, FIELDS>],
    pub(super) agrees: A,
    pub(super) respect: Respect,
    /// The requests that take part, by their numbers: requests are seated like counters here.
    pub(super) among: CounterSet,
    pub(super) effort: u32,
    pub(super) decisions: [Decision; MOST],
    pub(super) depth: usize,
}

impl<'d, A: Fn(&Field) -> bool, const WAYS: usize, const FIELDS: usize> Search<'d, A, WAYS, FIELDS> {
    fn new(free: CounterSet, agrees: A, demands: &'d [Demand<WAYS, FIELDS>]) -> Self {
        let decisions = [Decision { request: 0, way: 0, first: None }; MOST];
        let (respect, among) = (Respect::Everything, CounterSet::EMPTY);
        Self { free, demands, agrees, respect, among, effort: EFFORT, decisions, depth: 0 }
    }

    fn give_up(&self) -> Conflict {
        Conflict { requests: Requests::from_bits(self.everybody().bits()), over: Contention::Effort }
    }

    pub(super) fn everybody(&self) -> CounterSet {
        CounterSet::first(self.demands.len() as u8)
    }

    /// Looks for a placement of the requests `among`.
    pub(super) fn run(&mut self, among: CounterSet, respect: Respect) -> Outcome {
        (self.among, self.respect, self.depth) = (among, respect, 0);
        while let Some(left) = self.effort.checked_sub(1) {
            self.effort = left;
            let node = self.node();
            match (self.matching(&node), self.most_constrained(&node)) {
                (Some(seats), None) => return Outcome::Placed(seats),
                (Some(_), Some(request)) if self.decide(request) => {}
                _ if self.retreat() => {}
                _ => return Outcome::Impossible,
            }
        }
        Outcome::GaveUp
    }

    /// Takes the first option of a request.
    fn decide(&mut self, request: CounterId) -> bool {
        self.push(self.options(request, None))
    }

    /// Takes the next option of the last decision that has one.
    fn retreat(&mut self) -> bool {
        while let Some(depth) = self.depth.checked_sub(1) {
            self.depth = depth;
            let Some(last) = self.decisions.get(depth).copied() else { return false };
            let Some(request) = CounterId::new(last.request) else { return false };
            if self.push(self.options(request, Some(last))) {
                return true;
            }
        }
        false
    }

    fn push(&mut self, decision: Option<Decision>) -> bool {
        match (decision, self.decisions.get_mut(self.depth)) {
            (Some(decision), Some(place)) => {
                *place = decision;
                self.depth += 1;
                true
            }
            _ => false,
        }
    }

    /// The option of a request that comes after `last`; the first, after `None`.
    fn options(&self, request: CounterId, last: Option<Decision>) -> Option<Decision> {
        let left = self.left(request);
        let ways = self.demands.get(request.index())?.ways.iter().enumerate();
        let begin = last.map_or(0, |last| usize::from(last.way));
        let mut open = ways.skip(begin).filter(|(number, _)| left & 1 << number != 0);
        open.find_map(|(number, way)| {
            let same = last.filter(|last| usize::from(last.way) == number);
            let first = next_start(way, self.free_for(request), same)?;
            Some(Decision { request: request.number(), way: number as u8, first })
        })
    }

    /// Notes a placement in the slots.
    fn settle(&self, seats: &[CounterId; MOST], slots: &mut [Slot]) -> Placement<'d, WAYS, FIELDS> {
        let mut chosen = [0; MOST];
        for (request, slot) in self.everybody().into_iter().zip(slots) {
            let counter = seats[request.index()];
            let Some((number, way)) = self.taken(request, counter) else { continue };
            chosen[request.index()] = number as u8;
            *slot = Slot { counter, partner: way.partner(counter), bits: way.bits };
        }
        Placement { demands: self.demands, chosen }
    }

    /// The way that puts a request on this counter.
    fn taken(&self, request: CounterId, counter: CounterId) -> Option<(usize, &'d Way<FIELDS>)> {
        let left = self.left(request);
        let mut ways = self.demands.get(request.index())?.ways.iter().enumerate();
        ways.find(|(number, way)| left & 1 << number != 0 && way.starts(self.free).contains(counter))
    }
}

/// Where on this way a request can start next, after it was `last` there. A single counter is
/// the matching's to choose, so that there is one option.
fn next_start<const FIELDS: usize>(
    way: &Way<FIELDS>,
    free: CounterSet,
    last: Option<Decision>,
) -> Option<Option<CounterId>> {
    let starts = way.starts(free);
    match (way.takes, last) {
        (Takes::One, None) => Some(None),
        (Takes::One, Some(_)) => None,
        (Takes::Pair, last) => {
            let tried = last.and_then(|last| last.first).map_or(0, |first| first.number() + 1);
            starts.without(CounterSet::first(tried)).lowest().map(Some)
        }
    }
}
