//! Chooses between the two routes that some events have to their counters, on POWER4, the 970, POWER5 and POWER5+.
//!
//! Both routes of a request lead to the same counters, and two routes agree if their bits of MMCR1 do. So routes are chosen
//! before counters, and as the terms of a formula with two in each clause are (Even, Itai and Shamir, "On the complexity of
//! timetable and multicommodity flow problems", 1976): a request takes either route, and whichever requests have one route left
//! take that. If every request still has a route, those that are undecided agree with all that were taken, and no choice
//! is taken back.

use super::demand::Demand;
use super::needs::HalfBits;
use crate::event::CounterSet;

/// Returns the bits of one route for each of at most 64 requests that have two, which agree with those that are `taken`; `None`
/// if no routes do.
#[inline(always)]
pub(super) fn choose(taken: HalfBits, demands: &[Demand]) -> Option<HalfBits> {
    let mut undecided = 0;
    for (request, demand) in demands.iter().enumerate() {
        undecided |= u64::from(demand.has_detour()) << request;
    }
    if undecided == 0 { Some(HalfBits::NONE) } else { Routes { demands, taken, undecided }.choose() }
}

/// Requests between decisions.
#[derive(Clone, Copy)]
struct Routes<'a> {
    demands: &'a [Demand],
    /// What the routes that were taken need.
    taken: HalfBits,
    /// The requests that can still take either route.
    undecided: u64,
}

impl Routes<'_> {
    #[cold]
    #[inline(never)]
    fn choose(self) -> Option<HalfBits> {
        let mut routes = self.settled()?;
        while let Some([first, second]) = routes.next() {
            let with = |route| Self { taken: routes.taken.and(route), ..routes }.settled();
            routes = with(first).or_else(|| with(second))?;
        }
        let chosen = self.demands.iter().filter_map(|demand| Some(routes.taken.first_of(demand.routes()?)));
        Some(chosen.fold(HalfBits::NONE, HalfBits::and))
    }

    /// Returns the routes of a request that is undecided.
    fn next(&self) -> Option<[HalfBits; 2]> {
        self.demands.get(self.undecided.trailing_zeros() as usize)?.routes()
    }

    /// Decides for the requests that have one route left; `None` if one has none.
    fn settled(mut self) -> Option<Self> {
        loop {
            let before = self.undecided;
            for request in CounterSet::from_bits(before) {
                let [first, second] = self.demands.get(request.index())?.routes()?;
                self.taken = match (self.taken.agrees(first), self.taken.agrees(second)) {
                    (true, true) if !self.taken.has(first) && !self.taken.has(second) => continue,
                    (true, true) => self.taken,
                    (true, false) => self.taken.and(first),
                    (false, true) => self.taken.and(second),
                    (false, false) => return None,
                };
                self.undecided &= !request.only().bits();
            }
            if self.undecided == 0 || self.undecided == before {
                return Some(self);
            }
        }
    }
}
