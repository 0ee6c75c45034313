//! The thread that is switched in on a CPU, as its unit knows it.

use crate::counter::CounterSet;
use crate::word::Word;

/// Whether a thread's context is switched in, and which counters it has. Only threads write it.
#[derive(Debug)]
pub(crate) struct Visitor {
    /// Counts the beginnings and ends of stays: odd while somebody is in.
    stays: Word,
    occupied: Word,
    /// Its counters, if the first of its one-shot periods to end freezes all of them.
    freezing: Word,
}

impl Visitor {
    pub(crate) const fn nobody() -> Self {
        Self { stays: Word::new(0), occupied: Word::new(0), freezing: Word::new(0) }
    }

    #[inline(always)]
    pub(crate) fn is_occupied(&self) -> bool {
        self.stays.get() & 1 != 0
    }

    /// Is this stay still going on?
    #[inline(always)]
    pub(crate) fn is_stay(&self, number: u64) -> bool {
        self.stays.get() == number
    }

    pub(crate) fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    /// Somebody comes, with these counters; answers the number of the stay.
    #[inline(always)]
    pub(crate) fn enter(&self, occupied: CounterSet) -> u64 {
        self.occupied.set(occupied.bits());
        self.stays.add(1);
        self.stays.get()
    }

    #[inline(always)]
    pub(crate) fn leave(&self) {
        self.freezing.set(0);
        self.occupied.set(0);
        if self.is_occupied() {
            self.stays.add(1);
        }
    }

    /// When one of these counters has done its one period, all of them stop.
    #[inline(always)]
    pub(crate) fn freeze_with(&self, set: CounterSet) {
        self.freezing.set(set.bits());
    }

    /// The counters that stop because these have done their one period.
    #[inline(always)]
    pub(crate) fn frozen_by(&self, ended: CounterSet) -> CounterSet {
        let freezing = self.freezing.counters();
        if freezing.and(ended).is_empty() { CounterSet::EMPTY } else { freezing }
    }
}
