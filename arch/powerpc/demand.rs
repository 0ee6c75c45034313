//! What a request takes on the 32-bit units, classic and embedded.

use crate::event::CounterSet;

/// What one request takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// The counters that could count it.
    pub(super) counters: CounterSet,
    /// Its selector, where that has its place by the counter.
    pub(super) select: u8,
    /// What else its family has to know of it.
    pub(super) word: u64,
}
