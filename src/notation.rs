//! Requests as text: what people type, read into a [`Set`](crate::Set), and printed back.
//!
//! Three notations are read, each as its own users know it:
//!
//! - [`cpc`] is that of cputrack and cpustat, `pic0=DC_miss,umask0=0x1e,sys`, and the two forms of
//!   libcpc's first version;
//! - [`oprofile`] is `CPU_CLK_UNHALTED:100000:0:1:1`;
//! - [`perfmon`] is libpfm's `skl::INST_RETIRED:ANY_P:u:c=2`.
//!
//! [`options`] finds all of them on a kernel's command line.
//!
//! All of them read names from a [`Catalogue`], take numbers where they take names, and need no
//! allocation. An [`Error`] says at which bytes the text is wrong and what was expected there. What
//! is printed is canonical: reading it gives the same requests.

pub mod cpc;
mod names;
pub mod oprofile;
pub mod options;
pub mod perfmon;
mod scan;

use core::fmt;
use core::ops::Range;

use crate::backend::Description;
use crate::catalogue::Catalogue;

/// The processor that a text is about.
#[derive(Clone, Copy, Debug)]
pub struct Processor<'a> {
    /// Its counters.
    pub description: &'a Description,
    /// Its names.
    pub catalogue: &'a Catalogue,
}

/// Where a text is wrong, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The bytes that are wrong; empty where something is missing.
    pub at: Range<usize>,
    /// What is wrong with them.
    pub problem: Problem,
}

/// What is wrong with a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// Something else belongs here.
    Expected(&'static str),
    /// The processor has no event of this name.
    UnknownEvent,
    /// The generic event is made of several of the processor's.
    MadeOfSeveral,
    /// The event has no unit mask of this name or value.
    UnitMask,
    /// There is no attribute or modifier of this name.
    UnknownAttribute,
    /// What the modifier would set is part of the event.
    PartOfEvent,
    /// What the modifier sets is a register that other events have.
    OtherEvents,
    /// The value is beyond the attribute's range.
    OutOfRange {
        /// The largest it takes.
        largest: u64,
    },
    /// A generic event is what it is: it takes no attribute.
    GenericTakesNone,
    /// The processor has no counter of this number.
    UnknownCounter {
        /// How many there are.
        counters: u32,
    },
    /// This counter cannot count this event.
    CounterCannot,
    /// The counter has an event already.
    CounterRepeated,
    /// The attribute is for a counter that has no event.
    NoEventThere,
    /// The same is asked for twice.
    Repeated,
    /// An event interrupts too often with this count.
    CountTooSmall {
        /// The smallest there is.
        least: u64,
    },
    /// The text is about another unit.
    OtherUnit,
    /// More requests than there is room for.
    TooMany {
        /// How many there are.
        room: usize,
    },
}

impl Error {
    fn new(at: Range<usize>, problem: Problem) -> Self {
        Self { at, problem }
    }

    /// The error beside the words of the text that it is about.
    pub fn in_text<'a>(&'a self, text: &'a str) -> impl fmt::Display + 'a {
        InText { error: self, text }
    }
}

/// A request that the notation has no words for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inexpressible {
    /// Which one, from 0.
    pub request: usize,
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "request {} cannot be written in this notation", self.request)
    }
}

impl core::error::Error for Inexpressible {}

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
        if self.at.is_empty() {
            write!(f, "at byte {}: ", self.at.start)?;
        } else {
            write!(f, "at bytes {} to {}: ", self.at.start, self.at.end - 1)?;
        }
        self.problem.fmt(f)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(what) => write!(f, "{what} is expected here"),
            Self::UnknownEvent => {
                f.write_str("this processor has no such event; a number other than 0 is taken as a code")
            }
            Self::MadeOfSeveral => f.write_str(
                "several of this processor's events make up this one; ask for each (Catalogue::requests_of)",
            ),
            Self::UnitMask => f.write_str("the event has no such unit mask"),
            Self::UnknownAttribute => f.write_str("this processor has no such attribute"),
            Self::PartOfEvent => {
                f.write_str("this is part of the event that is named; name another, or give its code instead")
            }
            Self::OtherEvents => f.write_str("this is a register that other events than this one have"),
            Self::OutOfRange { largest } => write!(f, "the value is from 0 to {largest}"),
            Self::GenericTakesNone => f.write_str("a generic event takes no attribute; name the processor's own event"),
            Self::UnknownCounter { counters } => {
                write!(f, "this processor has {counters} counters, numbered from 0")
            }
            Self::CounterCannot => f.write_str("this counter cannot count this event"),
            Self::CounterRepeated => f.write_str("this counter has an event already"),
            Self::NoEventThere => f.write_str("no event was given for this counter"),
            Self::Repeated => f.write_str("this was asked for before; events must be distinct"),
            Self::CountTooSmall { least } => write!(f, "the count is at least {least} for this event"),
            Self::OtherUnit => f.write_str("this is not this processor's unit"),
            Self::TooMany { room } => write!(f, "there is room for {room} requests"),
        }
    }
}

impl core::error::Error for Error {}
