//! Whether a thread counts, and where it is in, or was last.

use crate::event::{CounterSet, CpuId};
use crate::visitor::Visitor;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// It counts when it is switched in, and while it is.
    Bound,
    /// Nothing is asked for.
    Unbound,
    /// It does not count until it is enabled.
    Disabled,
    /// It does not count until it is restarted: a request has notified.
    Frozen,
    /// Its counters were taken from it.
    Invalid,
}

/// Where a context is switched in, or was last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stay {
    /// The address of what its unit shares with it.
    pub(super) unit: usize,
    pub(super) cpu: CpuId,
    /// Which of its unit's stays it is, which is odd, or the end of which. The unit has another number
    /// when somebody else has had the counters. Marked ([`Visitor::MARK`]) if coming and going may be
    /// more than to start its counters and to stop them; or [`Visitor::NEVER`].
    number: u64,
    /// Its counters; none while it waits for some.
    pub(super) set: CounterSet,
    /// All but those.
    pub(super) others: CounterSet,
    /// Its counters again, if its requests were where they are alone, need no others beside, and another
    /// thread with the same may follow by [`Backend::resume`](crate::Backend::resume).
    pub(super) resumable: CounterSet,
    /// Those whose overflows leave a sample.
    pub(super) sampling: CounterSet,
    /// May it leave them behind, to find them as they were?
    pub(super) keeps: bool,
    /// How many interrupts had changed an account of the unit's when its seats were compared with
    /// their accounts.
    pub(super) overflows: u64,
}

impl Stay {
    pub(super) const NOWHERE: Self = Self {
        unit: 0,
        cpu: CpuId(0),
        number: Visitor::NEVER,
        set: CounterSet::EMPTY,
        others: CounterSet::EMPTY,
        resumable: CounterSet::EMPTY,
        sampling: CounterSet::EMPTY,
        keeps: false,
        overflows: 0,
    };

    /// One that is about to begin on this CPU's unit, behind this number, with these counters, to be given
    /// back.
    #[inline(always)]
    pub(super) const fn new(unit: usize, cpu: CpuId, number: u64, set: CounterSet) -> Self {
        let others = CounterSet::from_bits(!set.bits());
        Self { unit, cpu, number: number | Visitor::MARK, set, others, ..Self::NOWHERE }
    }

    /// Is it going on?
    #[inline(always)]
    pub(super) const fn is_in(&self) -> bool {
        self.number & 1 != 0
    }

    /// Its number, marked or not.
    #[inline(always)]
    pub(super) const fn mark(&self) -> u64 {
        self.number
    }

    /// Its number on the unit.
    pub(super) const fn number(&self) -> u64 {
        self.number & !Visitor::MARK
    }

    /// It ends, or another one begins on the same counters.
    #[inline(always)]
    pub(super) const fn pass(&mut self) {
        self.number = self.number.wrapping_add(1);
    }

    /// It is about to begin on the counters of the stay that has just ended.
    #[inline(always)]
    pub(super) const fn follow(&mut self, last: &Self) {
        self.number = last.number.wrapping_add(2);
    }

    /// Coming and going is to start its counters and to stop them.
    #[inline(always)]
    pub(super) const fn be_plain(&mut self) {
        self.number &= !Visitor::MARK;
    }

    /// Its counters are given back at its end.
    pub(super) const fn be_the_last(&mut self) {
        self.number |= Visitor::MARK;
        (self.keeps, self.resumable) = (false, CounterSet::EMPTY);
    }
}
