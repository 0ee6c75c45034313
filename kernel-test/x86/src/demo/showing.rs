//! What the host shows of the guest's events.

use harness::Guest;
use harness::demo::Source;
use pmu::CounterId;
use pmu::request::Generic;

use crate::guest::{Here, truth};
use crate::identity::{self, Processor};

/// What the emulator shows of an event.
pub fn source(event: Generic, counter: CounterId) -> Source {
    match event {
        _ if Here::unfed().contains(counter) => Source::Unobserved,
        _ if truth::is_observed() => Source::Below,
        Generic::Cycles | Generic::ReferenceCycles => Source::Virtual,
        _ => Source::Observed,
    }
}

/// What a counter shall count: a fixed one has no choice, and none if it is not observed here.
pub fn event_of(counter: CounterId) -> Option<Generic> {
    if let Processor::Netburst(_) = identity::presented().processor {
        return event_of_netbursts(counter);
    }
    match (counter.number().checked_sub(32), counter.number() % 2) {
        (Some(0), _) | (None, 0) => Some(Generic::Instructions),
        (Some(1), _) | (None, _) => Some(Generic::Cycles),
        (Some(2), _) => Some(Generic::ReferenceCycles),
        (Some(_), _) => None,
    }
}

/// Only the first counters of a Pentium 4 count cycles, and only the last ones instructions.
fn event_of_netbursts(counter: CounterId) -> Option<Generic> {
    match counter.number() {
        0..4 => Some(Generic::Cycles),
        12.. => Some(Generic::Instructions),
        _ => None,
    }
}
