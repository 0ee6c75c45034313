//! Why a search ended without a placement.

use crate::event::{Conflict, Contention, CounterSet, Requests};

/// Why a search ended without a placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// These requests cannot be together. They compete for these counters, and maybe for registers.
    Impossible { requests: u64, counters: u64 },
    /// The steps are used up.
    Exhausted,
}

impl Failure {
    /// Returns the conflict, in which the requests compete for counters; of `all` requests if it is not known of which.
    pub(super) const fn over_counters(self, all: u64) -> Conflict {
        match self {
            Self::Impossible { requests, counters } => {
                Conflict::new(Requests::from_bits(requests), Contention::Counters(CounterSet::from_bits(counters)))
            }
            Self::Exhausted => Conflict::new(Requests::from_bits(all), Contention::Effort),
        }
    }
}
