//! What is asked for: events that differ from each other, and from one thread to the next, as they do in use.

use pmu::driver::{Driver, Slot, Steps};
use pmu::{Event, Pmu, Request};

/// The most requests that are asked for together: a thread's, and a session's beside them.
const MOST: usize = 9;

/// What all choices have in common: the request with this number asks for this event.
const COMMON: [(usize, Event); 2] = [(0, Event::INSTRUCTIONS), (2, Event::CYCLES)];

/// Chooses `N` requests that the unit can count together, and `beside` with them: instructions, an event of the
/// processor's own, cycles, and further events of its own that are not in `others`. `None` if there are none.
pub(super) fn choose<D: Driver, const N: usize>(
    pmu: &Pmu<'_, D>,
    others: &[Request],
    beside: Option<Request>,
) -> Option<[Request; N]> {
    choose_with(pmu, &COMMON, others, beside)
}

/// Chooses `N` requests that the unit can count together, all for events of the processor's own that are not in `others`.
pub(super) fn choose_own<D: Driver, const N: usize>(pmu: &Pmu<'_, D>, others: &[Request]) -> Option<[Request; N]> {
    choose_with(pmu, &[], others, None)
}

fn choose_with<D: Driver, const N: usize>(
    pmu: &Pmu<'_, D>,
    common: &[(usize, Event)],
    others: &[Request],
    beside: Option<Request>,
) -> Option<[Request; N]> {
    let unit = pmu.description();
    if N + beside.iter().len() > (unit.general.len() + unit.fixed.len()) as usize {
        return None;
    }
    let mut chosen = [Request::new(Event::INSTRUCTIONS); N];
    for number in 0..N {
        let before = chosen;
        let known = || before[..number].iter().chain(&beside);
        let is_new = |request: &Request| known().chain(others).all(|known| known.event != request.event);
        let fits = |request: &Request| placed(pmu.driver(), known().chain([request]).copied()).is_some();
        chosen[number] = match common.iter().find(|(place, _)| *place == number) {
            Some((_, event)) => Some(Request::new(*event)).filter(fits),
            None => own(pmu, number, N).filter(is_new).find(fits),
        }?;
    }
    Some(chosen)
}

/// Returns what a session may ask for: events of the processor's own, each on the counter on which it is placed alone.
pub(super) fn of_session<'a, D: Driver>(pmu: &Pmu<'a, D>) -> impl Iterator<Item = Request> + use<'a, D> {
    let driver = pmu.driver();
    let pinned = |request: Request| Some(request.pinned_to(placed(driver, [request].into_iter())?[0].counter));
    own(pmu, 0, 1).filter_map(pinned)
}

/// Returns the plain events of the processor's own table, from the part with this number of `all` on.
pub(super) fn own<'a, D: Driver>(
    pmu: &Pmu<'a, D>,
    number: usize,
    all: usize,
) -> impl Iterator<Item = Request> + use<'a, D> {
    let catalogue = pmu.driver().catalogue();
    let events = catalogue.events;
    let first = events.len() * number / all;
    let is_plain = |request: &Request| *request == Request::new(request.event).on(request.counters);
    let named = events.iter().skip(first).chain(events.iter().take(first)).filter(|named| named.auxiliary == 0);
    named.map(|named| catalogue.request(named)).filter(is_plain)
}

/// Returns where the unit counts these together, while nothing else counts. `None` if it cannot.
fn placed<D: Driver>(driver: &D, requests: impl Iterator<Item = Request>) -> Option<[Slot; MOST]> {
    let (mut demands, mut slots, mut number) = ([D::Demand::default(); MOST], [Slot::EMPTY; MOST], 0);
    for request in requests {
        *demands.get_mut(number)? = driver.encode(&request).ok()?;
        number += 1;
    }
    let beside = D::Occupancy::default();
    driver.place(&beside, demands.get(..number)?, Steps::OPEN, slots.get_mut(..number)?).ok().map(|_| slots)
}
