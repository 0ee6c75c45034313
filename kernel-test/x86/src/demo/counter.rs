//! How is a counter called?

use core::fmt;

use pmu::{CounterId, Session};

use crate::guest::unit::Driver;

/// A counter by its kind and its number within that kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Counter(pub CounterId);

impl Counter {
    /// The counter of a session's one request.
    pub fn of(session: &Session<'_, Driver, 1>) -> Self {
        Self(session.counter(0).expect("the session has a request"))
    }

    /// Its number among the fixed counters; `None` if it is a general one.
    pub fn fixed(self) -> Option<u8> {
        self.0.number().checked_sub(32)
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fixed() {
            Some(number) => write!(f, "fixed-{number}"),
            None => write!(f, "general-{}", self.0),
        }
    }
}
