//! How is a counter called?

use core::fmt;

use pmu::driver::Driver;
use pmu::{CounterId, CounterSet, Pmu, Session};

/// A counter by its kind and its number within that kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Counter {
    pub(super) id: CounterId,
    fixed: CounterSet,
}

impl Counter {
    /// A counter of this unit.
    pub(super) fn new<B: Driver>(pmu: &Pmu<B>, id: CounterId) -> Self {
        Self { id, fixed: pmu.description().fixed }
    }

    /// The counter of a session's one request.
    pub(super) fn of<B: Driver>(pmu: &Pmu<B>, session: &Session<'_, B, 1>) -> Self {
        Self::new(pmu, session.counter(0).expect("the session has a request"))
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fixed.lowest() {
            Some(first) if self.fixed.contains(self.id) => write!(f, "fixed-{}", self.id.number() - first.number()),
            _ => write!(f, "general-{}", self.id),
        }
    }
}
