//! Reads requests from text into a [`Set`](crate::Set), and prints them.
//!
//! There are four notations, each as its own users know it. Each is a type, whose `parse` reads a text:
//!
//! - [`Cpc`] is that of cputrack and cpustat, `pic0=DC_miss,umask0=0x1e,sys`, and the two forms of
//!   libcpc's first version;
//! - [`Oprofile`] is `CPU_CLK_UNHALTED:100000:0:1:1`;
//! - [`PerfexCommand`] is that of IRIX' perfex, `-e 26 -e 10 -y`, which is parsed and not printed;
//! - [`Perfmon`] is libpfm's `skl::INST_RETIRED:ANY_P:u:c=2`.
//!
//! [`Options`] finds the other three on a kernel's command line.
//!
//! All notations look names up in a [`Catalogue`](crate::text::catalogue::Catalogue), accept numbers in place of names, and allocate nothing.
//! A name that no event has is that of the only event with the same letters and digits: `L1D_REPLACEMENT` is L1D.REPLACEMENT.
//! An [`Error`] says which bytes of the text are wrong and what was expected there, and has the nearest name
//! of a misspelt word. What is printed is canonical: parsing it returns the same requests.

mod cpc;
mod names;
mod nearest;
mod oprofile;
mod options;
mod perfex;
mod perfmon;
mod processor;
mod scan;
mod words;

pub use cpc::{Cpc, Pentium};
pub use oprofile::Oprofile;
pub use options::{Given, Options, ReadingCost};
pub use perfex::PerfexCommand;
pub use perfmon::Perfmon;
pub use processor::Processor;

use core::fmt;
use core::ops::Range;

use crate::event::catalogue::EventName;
use crate::event::{CounterSet, Request};

/// A place in a text that is wrong, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Error {
    /// The bytes that are wrong; empty if something is missing.
    pub at: Range<usize>,
    /// The reason.
    pub problem: Problem,
    /// The name that the word was probably meant to be, if no event or attribute has this one.
    pub nearest: Option<EventName>,
}

/// What is wrong with a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// Something else was expected.
    Expected(&'static str),
    /// The processor's counters have no event of this name.
    UnknownEvent,
    /// PAPI has this preset, and no event of the processor is known to count it.
    NotMapped,
    /// The generic event is made of several of the processor's own.
    MadeOfSeveral,
    /// The event has no unit mask of this name or value.
    UnitMask,
    /// The event has a unit mask already, and takes one.
    SecondUnitMask,
    /// The event has no unit mask of this name, and the processor no attribute or modifier.
    UnknownAttribute,
    /// The modifier would change a part of the event.
    PartOfEvent,
    /// The modifier sets a register that only other events use.
    OtherEvents,
    /// The value is too large for the attribute.
    OutOfRange {
        /// The largest value.
        largest: u64,
    },
    /// A generic event takes no attributes but modes.
    GenericTakesNone,
    /// The processor has no counter with this number.
    UnknownCounter {
        /// The number of counters.
        counters: u32,
    },
    /// This counter cannot count this event.
    CounterCannot {
        /// The counters that can, as the notation numbers them.
        able: CounterSet,
    },
    /// Every counter that can count this event has another one already.
    NoCounterLeft {
        /// The counters that can, as the notation numbers them.
        able: CounterSet,
    },
    /// The counter already has an event.
    CounterRepeated,
    /// The counter that the attribute is for has no event.
    NoEventThere,
    /// The same event was requested before.
    Repeated,
    /// The count is too small, so the event would interrupt too often.
    CountTooSmall {
        /// The least count.
        least: u64,
    },
    /// The name is that of another unit.
    OtherUnit {
        /// This processor's unit.
        unit: &'static str,
    },
    /// There are more requests than room.
    TooMany {
        /// The room for requests.
        room: usize,
    },
    /// The events were given by another option before.
    OtherOption,
    /// There are more sets than room.
    TooManySets {
        /// The room for sets.
        room: usize,
    },
}

impl Error {
    fn new(at: Range<usize>, problem: Problem) -> Self {
        Self { at, problem, nearest: None }
    }

    /// Adds what a misspelt word was probably meant to be.
    fn near(self, nearest: Option<EventName>) -> Self {
        Self { nearest, ..self }
    }

    /// Prints the error together with the words of the text that are wrong.
    pub fn in_text<'a>(&'a self, text: &'a str) -> impl fmt::Display + 'a {
        InText { error: self, text }
    }
}

/// A request that a notation cannot express.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Inexpressible {
    /// The number of the request, from 0.
    pub request: usize,
    /// What the notation has no words for.
    pub reason: &'static str,
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "request {} cannot be written in this notation: {}", self.request, self.reason)
    }
}

impl core::error::Error for Inexpressible {}

impl Inexpressible {
    /// Returns an error for the first of these requests that has a reason.
    fn first(requests: &[Request], reason: impl Fn(&Request) -> Option<&'static str>) -> Result<(), Self> {
        let mut reasons = requests.iter().enumerate().filter_map(|(number, request)| Some((number, reason(request)?)));
        reasons.next().map_or(Ok(()), |(request, reason)| Err(Self { request, reason }))
    }
}

struct InText<'a> {
    error: &'a Error,
    text: &'a str,
}

impl fmt::Display for InText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text.get(self.error.at.clone()) {
            Some("") | None => write!(f, "{}", self.error),
            Some(words) => write!(f, "'{words}': {}", self.error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at.len() < 2 {
            write!(f, "at byte {}: ", self.at.start)?;
        } else {
            write!(f, "at bytes {} to {}: ", self.at.start, self.at.end - 1)?;
        }
        self.problem.fmt(f)?;
        self.nearest.map_or(Ok(()), |nearest| write!(f, "; the nearest name is {nearest}"))
    }
}

impl Problem {
    /// Returns the number that the text ends with, if it has one.
    const fn limit(self) -> Option<u64> {
        match self {
            Self::OutOfRange { largest } => Some(largest),
            Self::UnknownCounter { counters } => Some(counters.saturating_sub(1) as u64),
            Self::CountTooSmall { least } => Some(least),
            Self::TooMany { room } | Self::TooManySets { room } => Some(room as u64),
            _ => None,
        }
    }

    /// Returns what is wrong, as far as a constant text says it; what was expected, of [`Problem::Expected`].
    const fn text(self) -> &'static str {
        match self {
            Self::Expected(what) => what,
            Self::UnknownEvent => "no counter of this processor has such an event",
            Self::NotMapped => "PAPI has this preset, but no event of this processor is known to count it",
            Self::MadeOfSeveral => {
                "this event is made of several of this processor's events; request each of them (Catalogue::requests_of)"
            }
            Self::UnitMask => "the event has no such unit mask",
            Self::SecondUnitMask => {
                "the event takes one unit mask, and has one already; request it again with this one, or write the code of both"
            }
            Self::UnknownAttribute => {
                "the event has no such unit mask, and this processor no such attribute or modifier"
            }
            Self::PartOfEvent => "this is part of the named event; name another event, or write its code",
            Self::OtherEvents => "this event does not use that register",
            Self::OutOfRange { .. } => "the value must be from 0 to",
            Self::GenericTakesNone => {
                "a generic event takes the processor's modes and no other attribute; name one of its own events"
            }
            Self::UnknownCounter { .. } => "this processor's counters are numbered from 0 to",
            Self::CounterCannot { .. } => "this counter cannot count this event",
            Self::NoCounterLeft { .. } => "other events have every counter that can count this one",
            Self::CounterRepeated => "this counter already has an event",
            Self::NoEventThere => "this counter has no event",
            Self::Repeated => "this event was requested before; each must be different",
            Self::CountTooSmall { .. } => "the count of this event must be at least",
            Self::OtherUnit { .. } => "this is another processor's unit",
            Self::TooMany { .. } => "there is no room for more requests than",
            Self::OtherOption => "events were given by another option before: give all by one",
            Self::TooManySets { .. } => "there is no room for more sets of requests than",
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::CounterCannot { able } if able.is_empty() => f.write_str("no counter can count this event"),
            Self::CounterCannot { able } => write!(f, "this counter cannot count this event, but {} can", able.named()),
            Self::NoCounterLeft { able } => write!(
                f,
                "this event is counted by {} alone, which other events have; count it in a set of its own",
                able.named()
            ),
            Self::OtherUnit { unit } => write!(f, "this is another processor's unit: this one's is {unit}"),
            plain => {
                f.write_str(plain.text())?;
                plain.limit().map_or(Ok(()), |limit| write!(f, " {limit}"))
            }
        }
    }
}

impl From<Error> for crate::Error {
    fn from(error: Error) -> Self {
        let at = error.at.start;
        match error.problem {
            Problem::Expected(what) => Self::Expected { at, what },
            problem => Self::Text { at, problem: problem.text(), limit: problem.limit(), nearest: error.nearest },
        }
    }
}

impl core::error::Error for Error {}
