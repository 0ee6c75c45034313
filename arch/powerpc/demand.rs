//! The demand of a request on the 32-bit units, classic and embedded.

use crate::event::CounterSet;

/// The counters that can count a request, and the values that it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    /// Its selector, if the selector's position depends on the counter.
    pub(super) select: u8,
    /// What else it needs, in the layout of its family.
    pub(super) word: u64,
}
