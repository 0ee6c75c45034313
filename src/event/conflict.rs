//! Which requests cannot be counted together, and what they compete for.

use core::{array, fmt};

use super::request::Asked;
use crate::event::{CounterSet, Error, Event, Request, Requests};

/// Requests that cannot be counted together, and what they compete for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Conflict {
    /// The requests. They cannot all be placed beside what is already counted.
    pub requests: Requests,
    /// What they compete for.
    pub over: Contention,
    /// The events of the first of them, if they are known.
    events: [Option<Asked>; Self::EVENTS],
}

impl Conflict {
    /// The most events that are named.
    const EVENTS: usize = 2;

    /// These requests compete for this. Their events are not known.
    #[must_use]
    pub const fn new(requests: Requests, over: Contention) -> Self {
        Self { requests, over, events: [None; Self::EVENTS] }
    }

    /// The same conflict, among these requests: it is printed with the events of the first two that are in it.
    #[must_use]
    #[cold]
    pub fn among(mut self, requests: &[Request]) -> Self {
        let mut events = self.requests.into_iter().filter_map(|number| requests.get(number)).map(Asked::of);
        self.events = array::from_fn(|_| events.next());
        self
    }

    /// Returns the events that it is printed with: those of the first two requests that are in it; none if they are not
    /// known.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        self.events.into_iter().flatten().map(|asked| asked.event)
    }

    /// Writes the events, as ` (cycles, instructions)`; nothing if they are not known.
    fn write_events(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, asked) in self.events.iter().flatten().enumerate() {
            write!(f, "{}{asked}", if number == 0 { " (" } else { ", " })?;
        }
        match self.events().count() {
            0 => Ok(()),
            known if known < self.requests.len() => f.write_str(" and others)"),
            _ => f.write_str(")"),
        }
    }
}

/// What requests compete for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Contention {
    /// The free counters that any of the requests could use.
    Counters(CounterSet),
    /// A register in which each needs another value, by its name in the manual.
    Register(&'static str),
    /// The search for a placement reached its limit. Placing fewer requests at once may succeed.
    Effort,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut requests = self.requests.into_iter();
        match (requests.next(), requests.next()) {
            (Some(request), None) => write!(f, "request {request}")?,
            _ => write!(f, "requests {}", self.requests)?,
        }
        self.write_events(f)?;
        f.write_str(match self.requests.len() {
            1 => " cannot be counted beside what is open: ",
            _ => " cannot be counted together: ",
        })?;
        match self.over {
            Contention::Counters(free) if free.is_empty() => f.write_str(
                "no counter that can count it is free; close what uses them, or rotate groups of requests (Multiplex)",
            ),
            Contention::Counters(free) => {
                let are = if free.has_several() { "are" } else { "is" };
                write!(f, "only {} {are} free for them; rotate groups of requests (Multiplex)", free.named())
            }
            Contention::Register(name) => {
                write!(f, "each needs another value in {name}; rotate groups of requests (Multiplex)")
            }
            Contention::Effort => {
                f.write_str("the search for a placement reached its limit; request fewer events at once")
            }
        }
    }
}

impl core::error::Error for Conflict {}

impl From<Conflict> for Error {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(conflict)
    }
}
