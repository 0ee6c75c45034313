//! How requests are placed that take pairs, or have to agree on shared registers.
//!
//! The search decides only what a matching cannot: which way a request goes that could clash with another's, and where
//! a pair sits. All the while everybody has a counter, as a matching has it that leaves the clashes of the undecided
//! out of account. A decision takes ways and counters away from others; whoever loses its counter finds another, and
//! if one does not, the decision is taken back. When nothing is left to be decided, that matching is the placement.
//!
//! The request with the fewest ways is decided first. Of counters that no way tells apart one is tried, and what was
//! found hopeless once is not tried again. Finding fields that agree is hard in general, so the steps are counted.

use super::bits::{all, each};
use super::budget::Budget;
use super::failure::Failure;
use super::matching::{MOST, Matching};
use super::memo::{Memo, State};
use super::register::Takes;
use super::table::{Kind, PREPARATION, Table, starts};
use crate::event::CounterId;

/// A request goes this way; a pair from this counter.
#[derive(Clone, Copy)]
pub(super) struct Decision {
    request: u8,
    way: u8,
    start: u8,
}

/// A search between decisions.
pub(super) struct Search<'t> {
    table: &'t Table,
    /// The requests that take part.
    requests: u64,
    matching: Matching,
    /// The ways that agree with the requests that have one way.
    possible: u64,
    /// Those of them that agree with the decisions.
    live: u64,
    decisions: [Decision; MOST],
    depth: usize,
    /// The requests that are decided.
    decided: u64,
    /// The counters that decided pairs have.
    taken: u64,
    /// How many requests go each way, by the ways that stand for them.
    counts: [u8; MOST],
    /// By what the matching was refreshed last.
    refreshed: Left,
    memo: Memo,
}

/// What the decisions leave to a matching: these ways and counters, and these requests that are decided.
#[derive(Clone, Copy)]
struct Left {
    live: u64,
    available: u64,
    decided: u64,
}

/// The steps that it takes to find an option and to decide for it, beside the rest.
const DECISION: u32 = 8;

/// No decision.
const UNDECIDED: [Decision; MOST] = [Decision { request: 0, way: 0, start: 0 }; MOST];

impl<'t> Search<'t> {
    /// A search among some requests of a table, which has not begun. It is large, and so it is made where it stands.
    #[inline(always)]
    pub(super) const fn of(table: &'t Table, requests: u64) -> Self {
        Self {
            table,
            requests,
            matching: Matching::new(table.free),
            possible: u64::MAX,
            live: u64::MAX,
            decisions: UNDECIDED,
            depth: 0,
            decided: 0,
            taken: 0,
            counts: [0; MOST],
            // Everybody is new to the matching.
            refreshed: Left { live: u64::MAX, available: table.free, decided: u64::MAX },
            memo: Memo::EMPTY,
        }
    }

    /// Looks for a placement.
    ///
    /// # Errors
    /// [`Failure::Impossible`] with requests that cannot be together, maybe more than it takes.
    pub(super) fn run(&mut self, budget: &mut Budget) -> Result<(), Failure> {
        budget.spend(PREPARATION)?;
        self.leave_out_impossible(budget)?;
        self.compare_counts(budget)?;
        match self.refresh(budget) {
            // Those that are stuck may be so because of others, which have left them fewer ways.
            Err(Failure::Impossible { .. }) if self.possible != u64::MAX => return Err(self.impossible()),
            found => found?,
        }
        while let Some(request) = self.next(budget)? {
            if self.memo.knows(&self.state()) || !self.advance(request, None, budget)? {
                self.retreat(budget)?;
            }
        }
        Ok(())
    }

    /// Leaves out the ways that clash with the only way of another request, until this leaves no more requests with one way.
    ///
    /// # Errors
    /// As [`Self::run`].
    fn leave_out_impossible(&mut self, budget: &mut Budget) -> Result<(), Failure> {
        let (mut only, mut seen) = (0, 0);
        loop {
            budget.spend(self.table.kinds().len() as u32)?;
            for kind in self.table.kinds().iter().filter(|kind| kind.requests & self.requests != 0) {
                match (kind.ways & self.live).count_ones() {
                    0 => return Err(self.impossible()),
                    1 => only |= kind.ways & self.live,
                    _ => {}
                }
            }
            if only == seen {
                self.possible = self.live;
                return Ok(());
            }
            self.live = each(only & !seen).fold(self.live, |live, way| live & !self.table.way(way).clashes);
            seen = only;
        }
    }

    /// Compares how many counters the requests take at least with how many there are.
    fn compare_counts(&self, budget: &mut Budget) -> Result<(), Failure> {
        let (mut least, mut reached) = (0, 0);
        for kind in self.table.kinds() {
            budget.spend(1)?;
            let count = (kind.requests & self.requests).count_ones();
            let singles = self.reach(kind.ways & !self.table.pairs, self.table.free);
            let firsts = self.reach(kind.ways & self.table.pairs, self.table.free);
            let pairs = if firsts == 0 { 0 } else { count.saturating_sub(singles.count_ones()) };
            least += count + pairs;
            reached |= if count == 0 { 0 } else { singles | firsts | firsts << 1 };
        }
        if least > reached.count_ones() { Err(self.impossible()) } else { Ok(()) }
    }

    fn impossible(&self) -> Failure {
        Failure::Impossible { requests: self.requests, counters: self.table.free }
    }

    /// The counters from which any of these ways can start.
    fn reach(&self, ways: u64, free: u64) -> u64 {
        each(ways).fold(0, |reached, way| reached | starts(self.table.way(way).starts, self.takes(way), free))
    }

    const fn takes(&self, way: usize) -> Takes {
        if self.table.pairs >> way & 1 == 0 { Takes::One } else { Takes::Pair }
    }

    const fn available(&self) -> u64 {
        self.table.free & !self.taken
    }

    /// Everybody finds a counter by what the decisions have left. Whoever has as much left as before keeps its own.
    fn refresh(&mut self, budget: &mut Budget) -> Result<(), Failure> {
        budget.spend(self.requests.count_ones() + self.table.length() as u32)?;
        let (table, left) = (self.table, self.left());
        let before = core::mem::replace(&mut self.refreshed, left);
        let (ways, changed) = match left.available == before.available {
            true => (left.live ^ before.live, left.decided ^ before.decided),
            false => (u64::MAX, u64::MAX),
        };
        let undecided = self.requests & !left.decided;
        let kinds = table.kinds().iter().filter(|kind| kind.requests & undecided != 0);
        for kind in kinds.filter(|kind| kind.ways & ways != 0 || kind.requests & changed != 0) {
            let wanted = self.reach(kind.ways & left.live, left.available);
            each(kind.requests & undecided).for_each(|request| self.matching.want(request, wanted));
        }
        for decision in self.decisions.iter().take(self.depth).filter(|decision| changed >> decision.request & 1 != 0) {
            let (request, way) = (usize::from(decision.request), usize::from(decision.way));
            let wanted = match self.takes(way) {
                Takes::One => table.way(way).starts & left.available,
                Takes::Pair => 1 << decision.start,
            };
            self.matching.want(request, wanted);
        }
        self.matching.keep_open(left.available);
        each(self.matching.without_counter(self.requests)).try_for_each(|request| self.matching.assign(request, budget))
    }

    const fn left(&self) -> Left {
        Left { live: self.live, available: self.available(), decided: self.decided }
    }

    /// Of the requests that need a decision, one with the fewest ways.
    fn next(&self, budget: &mut Budget) -> Result<Option<usize>, Failure> {
        budget.spend(self.table.length() as u32)?;
        let live = self.undecided_ways();
        let undecided = |kind: &&Kind| self.undecided(kind) != 0 && self.is_delicate(kind, live);
        let fewest = self.table.kinds().iter().filter(undecided).min_by_key(|kind| (kind.ways & live).count_ones());
        Ok(fewest.map(|kind| self.undecided(kind).trailing_zeros() as usize))
    }

    const fn undecided(&self, kind: &Kind) -> u64 {
        kind.requests & self.requests & !self.decided
    }

    /// The ways that are left for requests that are not decided.
    fn undecided_ways(&self) -> u64 {
        let kinds = self.table.kinds().iter().filter(|kind| self.undecided(kind) != 0);
        kinds.fold(0, |ways, kind| ways | kind.ways) & self.live
    }

    /// Could a matching choose wrongly for a request of this kind?
    fn is_delicate(&self, kind: &Kind, live: u64) -> bool {
        let own = kind.ways & live;
        own & self.table.pairs != 0 || each(own).any(|way| self.table.way(way).clashes & live != 0)
    }

    /// Decides for the next option of a request after `last` that leaves everybody a counter. Returns false if there
    /// is none.
    fn advance(&mut self, request: usize, mut last: Option<Decision>, budget: &mut Budget) -> Result<bool, Failure> {
        while let Some(option) = self.option(request, last, budget)? {
            if self.decide(option, budget)? {
                return Ok(true);
            }
            last = Some(option);
        }
        self.memo.keep(self.state());
        Ok(false)
    }

    /// Takes decisions back until one can be made otherwise.
    fn retreat(&mut self, budget: &mut Budget) -> Result<(), Failure> {
        while let Some(last) = self.take_back(budget)? {
            if self.advance(last.request.into(), Some(last), budget)? {
                return Ok(());
            }
        }
        Err(self.impossible())
    }

    /// The option of a request after `last`; the first, after `None`. Requests of a kind go its ways in order.
    fn option(&self, request: usize, last: Option<Decision>, budget: &mut Budget) -> Result<Option<Decision>, Failure> {
        budget.spend(DECISION)?;
        let ways = self.table.kind_of(request).ways;
        let begun = each(ways).filter(|way| self.counts[*way % MOST] != 0).last().unwrap_or(0);
        let begin = last.map_or(begun, |last| last.way.into());
        for way in each(ways & self.live & !all(begin)) {
            let tried = last.filter(|last| usize::from(last.way) == way);
            if let Some(start) = self.next_start(way, tried, budget)? {
                return Ok(Some(Decision { request: request as u8, way: way as u8, start }));
            }
        }
        Ok(None)
    }

    /// From where a request can start on this way, after it was `tried` there. A single counter is the matching's to
    /// choose, so that there is one option.
    fn next_start(&self, way: usize, tried: Option<Decision>, budget: &mut Budget) -> Result<Option<u8>, Failure> {
        if self.takes(way) == Takes::One {
            return Ok(if tried.is_none() { Some(0) } else { None });
        }
        let open = starts(self.table.way(way).starts, Takes::Pair, self.available());
        let rest = tried.map_or(open, |tried| open & !all(usize::from(tried.start) + 1));
        for start in each(rest) {
            if !self.is_like_any(start, open & !rest, budget)? {
                return Ok(Some(start as u8));
            }
        }
        Ok(None)
    }

    /// Does no way tell a pair that starts here from a pair that starts at any of `others`?
    fn is_like_any(&self, start: usize, others: u64, budget: &mut Budget) -> Result<bool, Failure> {
        for other in each(others) {
            budget.spend(self.table.length() as u32)?;
            if self.are_like(start, other) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn are_like(&self, one: usize, other: usize) -> bool {
        // The counters before and after a first one: a pair that starts there would take one of it.
        const NEIGHBOURS: u64 = 1 << 63 | 0b10;
        (0..self.table.length()).all(|way| {
            let [one, other] = [one, other].map(|start| self.table.way(way).starts.rotate_right(start as u32));
            match self.takes(way) {
                Takes::One => (one ^ other) & 0b11 == 0,
                Takes::Pair => (one ^ other) & 1 == 0 && (one | other) & NEIGHBOURS == 0,
            }
        })
    }

    /// Decides, if everybody still finds a counter.
    fn decide(&mut self, decision: Decision, budget: &mut Budget) -> Result<bool, Failure> {
        let request = usize::from(decision.request);
        self.decided |= 1 << request;
        let like = self.like(decision);
        self.counts[like] = self.counts[like].wrapping_add(1);
        if let Some(place) = self.decisions.get_mut(self.depth) {
            *place = decision;
            self.depth += 1;
        }
        self.live &= !self.table.way(decision.way.into()).clashes;
        if self.takes(decision.way.into()) == Takes::Pair {
            self.taken |= 0b11 << decision.start;
            self.matching.take(decision.start.into(), request);
        }
        match self.refresh(budget) {
            Ok(()) => Ok(true),
            Err(Failure::Impossible { .. }) => self.take_back(budget).map(|_| false),
            Err(exhausted) => Err(exhausted),
        }
    }

    /// Takes the last decision back; returns it.
    fn take_back(&mut self, budget: &mut Budget) -> Result<Option<Decision>, Failure> {
        let Some(depth) = self.depth.checked_sub(1) else { return Ok(None) };
        let Some(&last) = self.decisions.get(depth) else { return Ok(None) };
        self.depth = depth;
        self.decided &= !(1 << last.request);
        let like = self.like(last);
        self.counts[like] = self.counts[like].wrapping_sub(1);
        let decisions = self.decisions.iter().take(depth);
        self.live = decisions.fold(self.possible, |live, decision| live & !self.table.way(decision.way.into()).clashes);
        if self.takes(last.way.into()) == Takes::Pair {
            self.taken &= !(0b11 << last.start);
            self.matching.open(usize::from(last.start) + 1);
        }
        self.refresh(budget)?;
        Ok(Some(last))
    }

    /// The way that stands for a decision's where counts of ways are compared. Of several requests of one kind each way
    /// stands for itself, since they go the ways in order.
    fn like(&self, decision: Decision) -> usize {
        let is_alone = self.table.kind_of(decision.request.into()).requests.count_ones() == 1;
        let way = if is_alone { self.table.way(decision.way.into()).like } else { decision.way };
        usize::from(way) % MOST
    }

    /// What the decisions have left.
    fn state(&self) -> State {
        State { live: self.undecided_ways(), taken: self.taken, counts: self.counts }
    }

    /// Returns the way that a request goes, by its number in the table; after a placement was found.
    pub(super) fn way(&self, request: usize) -> usize {
        let mut decisions = self.decisions.iter().take(self.depth);
        let decided = decisions.find(|decision| usize::from(decision.request) == request);
        let counter = self.matching.counter(request).only().bits();
        let leads = |way: &usize| self.table.way(*way).starts & counter != 0;
        match decided {
            Some(decision) => decision.way.into(),
            None => each(self.table.kind_of(request).ways & self.live).find(leads).unwrap_or(0),
        }
    }

    /// Returns the counter that a request starts from; after a placement was found.
    pub(super) fn counter(&self, request: usize) -> CounterId {
        self.matching.counter(request)
    }
}
