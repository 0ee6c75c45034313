//! What is known of a thread's requests while it is switched out.

use core::array;

use crate::event::{Remaining, Set};

/// One request: what was counted until it was switched out, and how far its period had come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) count: u64,
    /// Events until the next overflow; `None` if none was asked for.
    pub(super) left: Option<Remaining>,
}

/// Where the set has its counts begin, and whole periods.
pub(super) fn from_the_beginning<const N: usize>(set: &Set<N>) -> [Tally; N] {
    array::from_fn(|number| {
        let sampling = set.requests().get(number).and_then(|request| request.sampling);
        let left = sampling.map(|sampling| Remaining::events(sampling.period));
        Tally { count: set.preset(number).unwrap_or(0), left }
    })
}
