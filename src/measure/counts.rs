//! Counts, and how long they were counted for.

/// Counts, and how long they were counted for.
///
/// A session of a CPU always has its counters, so `running` equals `enabled`. Where counters are shared in turn,
/// `running` is less and a count is a part of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts<const N: usize> {
    /// Events, in the order of the requests, as they were counted.
    pub raw: [u64; N],
    /// Ticks of the clock during which the requests were enabled.
    pub enabled: u64,
    /// Ticks during which their counters counted.
    pub running: u64,
}
