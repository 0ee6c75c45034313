//! The thread that is switched in on a CPU, or was last, as its unit knows it.
//!
//! One that is switched out leaves its counters behind, programmed and preset: if nobody needs them
//! until it comes back, it finds them as they were.

use crate::event::CounterSet;
use crate::sync::Word;

/// Who has the counters, if a CPU's sessions and its threads cannot both have them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Threads {
    /// Whoever has them first. A session that finds none free is refused with a conflict; a thread
    /// waits, and its [`Counts`](crate::Counts) say for how much of its time it was counted.
    #[default]
    Share,
    /// The sessions, as in libcpc: a thread that meets an open session on its CPU, or is there when
    /// one is opened, is invalidated. Its counts are an error from then on, until it is bound anew.
    Yield,
}

/// Whether a thread's context is switched in, and which counters it has or has left behind. Only
/// threads write it.
#[derive(Debug)]
pub(crate) struct Visitor {
    /// Counts the beginnings and ends of stays: odd while somebody is in.
    stays: Word,
    /// The counters that are its own while it is in, and until somebody else needs them.
    occupied: Word,
    /// Its counters, if the first of its one-shot periods to end freezes all of them.
    freezing: Word,
}

impl Visitor {
    /// The number of no stay, and of no end of one.
    pub(crate) const NEVER: u64 = u64::MAX - 1;

    /// What no number has: a thread marks its own with it, so as not to be found at the first look.
    pub(crate) const MARK: u64 = 1 << 63;

    pub(crate) const fn nobody() -> Self {
        Self { stays: Word::new(0), occupied: Word::new(0), freezing: Word::new(0) }
    }

    /// Numbers stays from the clock on, so that a thread which was last in on a unit that has been in
    /// this one's place finds nothing of its own here. A stay takes more than a 128th of a tick.
    pub(crate) fn number_from(&self, ticks: u64) {
        self.stays.set(ticks << 8 & !Self::MARK);
    }

    #[inline(always)]
    pub(crate) fn is_occupied(&self) -> bool {
        self.stays.get() & 1 != 0
    }

    /// How many beginnings and ends of stays there have been, and some more.
    #[inline(always)]
    pub(crate) fn stays(&self) -> u64 {
        self.stays.get()
    }

    /// Is this stay still going on; or has this been the end of the last one, and what it left
    /// behind is as it was?
    #[inline(always)]
    pub(crate) fn is_stay(&self, number: u64) -> bool {
        self.stays.get() == number
    }

    /// The counters of whoever is in.
    pub(crate) fn counters(&self) -> CounterSet {
        if self.is_occupied() { self.occupied() } else { CounterSet::EMPTY }
    }

    /// The counters of whoever is in, or has left them behind.
    #[inline(always)]
    pub(crate) fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }

    /// Somebody is about to come, with these counters, and whoever was in last does not find its own any
    /// more; answers the number before that of the stay.
    #[inline(always)]
    pub(crate) fn expect(&self, occupied: CounterSet) -> u64 {
        self.occupied.set(occupied.bits());
        self.stays.add(2);
        self.stays.get()
    }

    /// Whoever is in leaves its counters behind, or who is about to come, or to come back to them, does:
    /// the next number is that of the end of its stay, or of the next one.
    #[inline(always)]
    pub(crate) fn pass(&self) {
        self.stays.add(1);
    }

    /// Whoever is in leaves, and somebody is about to come with the same counters.
    #[inline(always)]
    pub(crate) fn relieve(&self) {
        self.stays.add(3);
    }

    /// What was left behind is somebody else's: who left it does not find it any more.
    #[cold]
    pub(crate) fn forget(&self) {
        if !self.is_occupied() {
            self.freezing.set(0);
            self.occupied.set(0);
            self.stays.add(2);
        }
    }

    /// Whoever is in gives its counters back.
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
