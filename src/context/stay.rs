//! Whether a thread counts, and where it is in, or was last.

use crate::counter::CounterSet;
use crate::error::CpuId;
use crate::visitor::Visitor;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Switched out; it counts when it is switched in.
    Out,
    /// Switched in.
    In,
    /// Nothing is asked for.
    Unbound,
    /// It does not count until it is enabled.
    Disabled,
    /// It does not count until it is restarted: a request has notified.
    Frozen,
    /// Its counters were taken from it.
    Invalid,
}

/// Where and since when a context is switched in, or was last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stay {
    /// The address of what its unit shares with it.
    pub(super) unit: usize,
    pub(super) cpu: CpuId,
    /// Which of its unit's stays it is: the unit has another number when it was evicted. Or the end
    /// of which, as long as the unit has this number; or [`Visitor::NEVER`].
    pub(super) number: u64,
    /// The tick at which it began.
    pub(super) since: u64,
    /// Its counters; none while it waits for some.
    pub(super) set: CounterSet,
    /// May it leave them behind, to find them as they were?
    pub(super) keeps: bool,
}

impl Stay {
    pub(super) const NOWHERE: Self =
        Self { unit: 0, cpu: CpuId(0), number: Visitor::NEVER, since: 0, set: CounterSet::EMPTY, keeps: false };
}
