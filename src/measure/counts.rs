//! Counts, and how long they were counted for.

/// Counts, and how long they were counted for.
///
/// A session of a CPU always has its counters, so `running` equals `enabled`. Where counters are shared in turn,
/// `running` is less and a count is a part of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Counts<const N: usize> {
    /// Events, in the order of the requests, as they were counted.
    pub raw: [u64; N],
    /// Ticks of the clock during which the requests were enabled.
    pub enabled: u64,
    /// Ticks during which they had their counters. The end of a one-shot period stops the counting, but not this time: it goes
    /// on until the session is stopped or the thread is switched out.
    pub running: u64,
}

impl<const N: usize> Counts<N> {
    /// Creates counts from events that were counted for `running` of `enabled` ticks, as in a kernel that adds up threads.
    #[must_use]
    pub const fn new(raw: [u64; N], enabled: u64, running: u64) -> Self {
        Self { raw, enabled, running }
    }
}
