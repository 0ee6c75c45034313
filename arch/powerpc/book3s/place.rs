//! Places requests on counters.
//!
//! Some ways of a request need more than its others do. Those that do not agree with what requests need in any case are
//! left out. Of two routes one is chosen, before the counters (`routes.rs`). The rest agrees on all shared fields, except that
//! from POWER8 on PMC5 and PMC6 may be wanted both for what always counts and for what does not: each is tried. So requests are
//! only matched with counters, within the steps of a switch. A search only explains a conflict.

use super::capabilities::Capabilities;
use super::demand::{Demand, WAYS};
use super::needs::Needs;
use super::program::{COUNTERS, Occupancy, Program};
use super::routes;
use crate::contract::{Slot, Steps};
use crate::event::{Conflict, Contention, CounterSet, Requests};
use crate::family::place_each;
use crate::placement::{self, Choice, Constraints, Ignored, Register, Takes};

/// Places `new` requests beside those in use.
pub(super) fn place(
    capabilities: &Capabilities,
    beside: &Occupancy,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
) -> Result<Program, Conflict> {
    let free = capabilities.usable.without(beside.counters);
    let sharing = Sharing { demands: new, needed: &beside.needs };
    sharing.find(free, steps, out).map(Program).map_err(|conflict| match conflict.over {
        Contention::Counters(_) if steps.explain() > 0 => placement::explain(free, &sharing, steps),
        _ => conflict,
    })
}

/// Requests, and what the counters in use need in shared fields.
struct Sharing<'a> {
    demands: &'a [Demand],
    needed: &'a Needs,
}

impl Sharing<'_> {
    /// Looks for a placement.
    fn find(&self, free: CounterSet, steps: Steps, out: &mut [Slot]) -> Result<Needs, Conflict> {
        let is_room = self.demands.len() <= free.len() as usize;
        let Some(least) = (if is_room { self.least_needs() } else { None }) else {
            return Err(self.unexplained(free));
        };
        if self.demands.iter().all(Demand::needs_the_same) {
            let own_on = |demand: &Demand, counter| demand.own_on(counter).bits();
            return place_each(free, self.demands, steps, out, Demand::counters, own_on).map(|()| least);
        }
        self.match_beside(&least.and(*self.needed), free, steps, out)
    }

    /// Returns what the requests need whichever ways they go, by routes that agree; `None` if that does not agree, or not with
    /// what is in use.
    #[inline(always)]
    fn least_needs(&self) -> Option<Needs> {
        let mut least = Needs::NOTHING;
        for demand in self.demands {
            let needs = demand.least_needs();
            if !needs.agrees(&least) {
                return None;
            }
            least = least.and(needs);
        }
        if !least.agrees(self.needed) {
            return None;
        }
        let routes = routes::choose(least.upper_selects().and(self.needed.upper_selects()), self.demands)?;
        Some(least.with_upper_selects(least.upper_selects().and(routes)))
    }

    /// Returns a conflict of all requests, which is not explained.
    #[cold]
    const fn unexplained(&self, free: CounterSet) -> Conflict {
        let requests =
            if self.demands.len() < 64 { CounterSet::first(self.demands.len() as u8).bits() } else { u64::MAX };
        Conflict::new(Requests::from_bits(requests), Contention::Counters(free))
    }

    /// Matches requests with counters on which they agree with these needs. Then they agree with each other, except on whether
    /// PMC5 and PMC6 always count. If some want one and some the other, each is tried in half of the steps.
    fn match_beside(&self, all: &Needs, free: CounterSet, steps: Steps, out: &mut [Slot]) -> Result<Needs, Conflict> {
        let always = self.demands.iter().any(Demand::has_fixed);
        for (demand, slot) in self.demands.iter().zip(out.iter_mut()) {
            let [first, second] = demand.counters_beside(all, always);
            slot.bits = first.bits() | second.bits() << SECOND;
        }
        let may = |always| Needs::run(always).agrees(all);
        let found = match (may(always), always && may(false) && self.demands.iter().any(Demand::needs_run)) {
            (true, false) => placement::match_masks(free, steps, out),
            (true, true) => {
                let steps = Steps::new(steps.search() / 2, 0);
                placement::match_masks(free, steps, out).or_else(|_| match_second(free, steps, out))
            }
            (false, _) => match_second(free, steps, out),
        };
        found.map(|()| self.take(out))
    }

    /// Fills the slots of requests that have counters. Returns what they need there.
    fn take(&self, out: &mut [Slot]) -> Needs {
        let mut needs = Needs::NOTHING;
        for (demand, slot) in self.demands.iter().zip(out) {
            needs = needs.and(demand.needs_on(slot.counter));
            slot.bits = demand.own_on(slot.counter).bits();
        }
        needs
    }

    #[inline(always)]
    fn needs_of(&self, choice: Choice) -> Needs {
        self.demands.get(choice.request).map_or(Needs::NOTHING, |demand| demand.needs_of(choice.way))
    }
}

/// Where in [`Slot::bits`] the counters begin that are tried in the second place: no unit has more of them.
const SECOND: usize = COUNTERS;

/// Matches requests with those counters.
fn match_second(free: CounterSet, steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    out.iter_mut().for_each(|slot| slot.bits >>= SECOND);
    placement::match_masks(free, steps, out)
}

impl Constraints for Sharing<'_> {
    const STEPS: u32 = 6;

    fn length(&self) -> usize {
        self.demands.len()
    }

    fn way(&self, choice: Choice) -> Option<(CounterSet, Takes)> {
        let counters =
            self.demands.get(choice.request).map_or(CounterSet::EMPTY, |demand| demand.counters_of(choice.way));
        (choice.way < WAYS).then_some((counters, Takes::One))
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        matches!((self.demands.get(one), self.demands.get(other)), (Some(one), Some(other)) if one.is_like(other))
    }

    fn fits(&self, way: Choice, ignored: Ignored) -> bool {
        self.needs_of(way).without_ignored(ignored).agrees(self.needed)
    }

    fn agree(&self, one: Choice, other: Choice, ignored: Ignored) -> bool {
        self.needs_of(one).without_ignored(ignored).agrees(&self.needs_of(other))
    }

    fn registers(&self, request: usize) -> impl Iterator<Item = &'static Register> {
        let demand = self.demands.get(request).copied().unwrap_or_default();
        let ways = (0..WAYS).filter(move |way| !demand.counters_of(*way).is_empty());
        ways.flat_map(move |way| demand.needs_of(way).registers())
    }
}

#[cfg(test)]
mod tests {
    use super::super::encode::encode;
    use super::super::identity::Identity;
    use super::*;
    use crate::event::{Event, Request};

    /// Random numbers that are the same in every run (xorshift64; Marsaglia, "Xorshift RNGs", 2003).
    fn below(random: &mut u64, limit: usize) -> usize {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        (*random % limit as u64) as usize
    }

    /// Draws one of the events that the unit counts, or one of those that PMC5 and PMC6 count from POWER8 on.
    fn draw(capabilities: &Capabilities, random: &mut u64) -> Demand {
        const OF_LAST_TWO: [Event; 4] =
            [Event::INSTRUCTIONS, Event::CYCLES, Event::raw(0x5_00FA), Event::raw(0x6_00F4)];
        let catalogue = capabilities.catalogue();
        loop {
            let (number, last) = (below(random, catalogue.events.len()), below(random, 24));
            let own = || catalogue.request(catalogue.events.iter().nth(number).unwrap());
            let request = OF_LAST_TWO.get(last).map_or_else(own, |&event| Request::new(event));
            if let Ok(demand) = encode(capabilities, &request) {
                return demand;
            }
        }
    }

    /// Each request has one of its ways, and what that needs is among the needs of all.
    fn check(demands: &[Demand], found: &Needs, slots: &[Slot]) {
        for (demand, slot) in demands.iter().zip(slots) {
            let has = |needs: Needs| found.agrees(&needs) && found.and(needs) == *found;
            let mut ways = (0..WAYS).filter(|way| demand.counters_of(*way).contains(slot.counter));
            assert!(ways.any(|way| has(demand.needs_of(way))), "{demand:?} on {} with {found:?}", slot.counter);
        }
    }

    /// So many steps are those of two matchings of n counters: 2 * n * (n + 3) each.
    #[test]
    fn requests_are_placed_without_a_search_where_a_search_places_them() {
        for identity in &Identity::ALL {
            let (capabilities, mut random, mut fitting) = (identity.capabilities(), 0x2545_F491_4F6C_DD1D, 0);
            let few = Steps::new(4 * capabilities.usable.len() * (capabilities.usable.len() + 3), 0);
            for size in (2..=capabilities.usable.len() as usize).cycle().take(3000) {
                let [beside, demands @ ..] = [(); COUNTERS + 1].map(|()| draw(&capabilities, &mut random));
                let needed =
                    if size % 2 == 0 { beside.needs_on(beside.counters().lowest().unwrap()) } else { Needs::NOTHING };
                let (sharing, mut slots) =
                    (Sharing { demands: &demands[..size], needed: &needed }, [Slot::EMPTY; COUNTERS]);
                let found = sharing.find(capabilities.usable, few, &mut slots[..size]);
                if let Ok(found) = &found {
                    check(sharing.demands, found, &slots);
                    assert!(found.agrees(&needed));
                }
                let searched =
                    placement::solve(capabilities.usable, &sharing, Steps::new(100_000, 0), &mut slots[..size]);
                assert_eq!(found.is_ok(), searched.is_ok(), "{}: {:?}", identity.name(), sharing.demands);
                fitting += u32::from(found.is_ok());
            }
            assert!((300..2700).contains(&fitting), "{}: {fitting} of 3000 fit", identity.name());
        }
    }
}
