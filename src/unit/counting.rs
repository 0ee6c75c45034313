//! What counts, and what is known of each counter: its account.
//!
//! `armed` holds the counters that are to count; only threads write it. `ended` holds the counters that do not count even if
//! they are armed: their one-shot period has expired, their session is gone, or a notification of their thread has stopped
//! them. The overflow handler adds to it, and a halt adds all 64. The counters in `armed` and not in `ended` count. After a
//! change of either set the driver runs exactly those, and a handler that interrupts the change runs the same.
//!
//! A counter that is not armed does not run. Only threads preset it and write its account, with one exception: the handler
//! begins a new period of any loaded counter that is past its overflow. Threads do the same, and doing it twice is the same as
//! doing it once.

mod account;
mod expected;
mod overflow;
mod period;
mod reading;
mod room;
mod running;
mod spurious;
mod throttle;

use account::Account;
pub(crate) use account::Base;
pub(super) use expected::Expected;
pub use overflow::Handled;
pub use spurious::Spurious;
use spurious::SpuriousCounts;

use crate::event::{CounterId, CounterSet};
use crate::sample::Losses;
use crate::sync::{Cell, Changes, SharedSet};

/// What counts, and the counters' accounts.
pub(crate) struct Counting {
    /// The counters that shall count. Only threads of the unit's CPU write it.
    armed: Cell,
    /// The counters that do not count even if they are armed. All 64 after a halt.
    ended: SharedSet,
    /// The counters in `ended` whose one-shot period has expired.
    expired: SharedSet,
    /// The counters whose accounts have a period. Only threads write it.
    sampling: Cell,
    /// The counters whose periods were doubled.
    throttled: SharedSet,
    /// The counters whose overflow an interrupt has accounted for while they were not running.
    served: SharedSet,
    expected: Expected,
    /// Counts starts and stops.
    changes: Changes,
    /// Counts the interrupts that have changed an account; only they write it.
    overflows: Changes,
    losses: Losses,
    spurious: SpuriousCounts,
    accounts: [Account; 64],
}

impl Counting {
    pub(super) const fn nothing() -> Self {
        Self {
            armed: Cell::new(0),
            ended: SharedSet::empty(),
            expired: SharedSet::empty(),
            sampling: Cell::new(0),
            throttled: SharedSet::empty(),
            served: SharedSet::empty(),
            expected: Expected::none(),
            changes: Changes::none(),
            overflows: Changes::none(),
            losses: Losses::none(),
            spurious: SpuriousCounts::none(),
            accounts: [const { Account::closed() }; 64],
        }
    }

    /// Begins a claim: nothing has ended, and no interrupt is expected. Counters that others use are always armed, so that no
    /// operation stops them.
    pub(super) fn begin(&self, used_by_others: CounterSet) {
        self.expected.forget();
        self.forget_rooms(CounterSet::ALL);
        self.ended.exclude(CounterSet::ALL);
        self.armed.set(used_by_others.bits());
    }

    /// Returns the counters that shall count now.
    #[inline(always)]
    pub(crate) fn running(&self) -> CounterSet {
        self.armed.counters().without(self.ended.counters())
    }

    /// Returns the counters whose one-shot period has expired.
    pub(crate) fn expired(&self) -> CounterSet {
        self.expired.counters()
    }

    /// Returns true if one of these counters has ended.
    #[inline(always)]
    pub(crate) fn has_ended(&self, among: CounterSet) -> bool {
        !self.ended.counters().and(among).is_empty()
    }

    /// Returns what a counter's position is added to for its count.
    #[inline(always)]
    pub(crate) fn base(&self, counter: CounterId) -> Base<'_> {
        Base(&self.account(counter).base)
    }

    /// Returns a counter's period; 0 if it only counts.
    pub(crate) fn period(&self, counter: CounterId) -> u64 {
        self.account(counter).period.get()
    }

    /// Returns how many events after the end of its period a counter overflows; negative if it overflows earlier.
    #[inline(always)]
    pub(crate) fn excess(&self, counter: CounterId) -> i64 {
        self.account(counter).excess.get().cast_signed()
    }

    #[inline(always)]
    fn account(&self, counter: CounterId) -> &Account {
        &self.accounts[counter.index()]
    }

    /// Removes these counters from `ended`, so that they count if they are armed. Returns false, and they stay ended, if the
    /// unit was halted.
    #[inline(always)]
    pub(crate) fn clear_ended(&self, counters: CounterSet) -> bool {
        !self.has_ended(CounterSet::ALL) || self.try_clear_ended(counters)
    }

    #[cold]
    #[inline(never)]
    fn try_clear_ended(&self, counters: CounterSet) -> bool {
        // An interrupt may end the others, which run, at any time.
        let counters = counters.and(self.ended.counters());
        self.expired.exclude(counters);
        if self.is_halted() {
            return false;
        }
        self.ended.exclude(counters);
        let is_halted = self.ended.counters().or(counters) == CounterSet::ALL;
        if is_halted {
            // The unit was halted between the check and the change.
            self.end(CounterSet::ALL);
        }
        !is_halted
    }

    /// These counters do not count any more, whatever is armed. After all have ended, none counts until the unit is claimed
    /// anew. *Interrupt.*
    pub(super) fn end(&self, counters: CounterSet) {
        self.ended.include(counters);
    }

    /// Returns true if the unit was halted since it was claimed. Without a halt, only loaded counters have ended, and they are
    /// never 64.
    pub(crate) fn is_halted(&self) -> bool {
        self.ended.counters() == CounterSet::ALL
    }

    /// A number that changes at every start, stop and overflow.
    pub(super) fn generation(&self) -> u32 {
        self.changes.get().wrapping_add(self.overflows.get())
    }

    pub(super) fn note_change(&self) {
        self.changes.advance();
    }

    pub(super) const fn losses(&self) -> &Losses {
        &self.losses
    }

    pub(super) fn spurious(&self) -> Spurious {
        self.spurious.summary()
    }
}
