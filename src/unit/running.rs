//! What counts: arming, disarming, and accounting for overflows.
//!
//! `armed` holds the counters that are to count; only threads write it. `ended` holds the counters that do not count even if
//! they are armed: their one-shot period has expired, their session is gone, or a notification of their thread has stopped
//! them. The overflow handler adds to it, and a halt adds all 64. The counters in `armed` and not in `ended` count. After a
//! change of either set the driver runs exactly those, and a handler that interrupts the change runs the same.
//!
//! A counter that is not armed does not run. Only threads preset it and write its account, with one exception: the handler
//! begins a new period of any loaded counter that is past its overflow. Threads do the same, and doing it twice is the same as
//! doing it once.

use super::{Account, Pmu};
use crate::contract::{Driver, Registers, Slot};
use crate::event::{CounterId, CounterSet};
use crate::sample::Label;

impl<D: Driver> Pmu<'_, D> {
    #[inline(always)]
    pub(crate) fn fence(self) {
        self.driver.registers().fence();
    }

    /// Returns the time, which goes on over a sleep.
    #[inline(always)]
    pub(crate) fn now(self) -> u64 {
        self.driver.registers().clock().wrapping_add(self.shared.clock_base.get())
    }

    /// Returns the time, or the time at which the unit was suspended, while it is.
    pub(crate) fn time(self) -> u64 {
        if self.shared.home.suspended().is_none() { self.now() } else { self.shared.clock_base.get() }
    }

    /// Returns the loaded counters that are armed, whether they count or have ended.
    pub(crate) fn armed(self) -> CounterSet {
        self.shared.armed.counters().and(self.occupied())
    }

    /// Starts these counters, beside what counts already. `run` is the last access to a register.
    #[inline(always)]
    pub(crate) fn arm(self, counters: CounterSet) {
        self.run_only(self.shared.armed.counters().or(counters));
    }

    /// Stops these counters, and accounts for their overflows. A session's go on with the periods that were asked for.
    #[inline(never)]
    pub(crate) fn disarm(self, counters: CounterSet) {
        let armed = self.shared.armed.counters();
        let stopped = armed.and(counters);
        if stopped.is_empty() {
            return;
        }
        self.shared.changes.advance();
        let stale = self.run_armed(armed.without(stopped));
        if stale.is_none() && self.throttled_among(stopped).is_empty() {
            self.settle(stopped);
        } else {
            self.settle_otherwise(stale, stopped);
        }
    }

    /// Accounts for the overflows of counters that were just stopped, after enabling the others again if an interrupt has come
    /// during the stop.
    #[cold]
    #[inline(never)]
    fn settle_otherwise(self, stale: Option<CounterSet>, stopped: CounterSet) {
        stale.into_iter().for_each(|enabled| self.run_again(enabled));
        self.settle(stopped);
        self.end_throttling_of_sessions(stopped);
    }

    /// Stops these counters. Their overflows are still to be accounted for.
    #[inline(always)]
    pub(crate) fn stop(self, counters: CounterSet) {
        self.run_only(self.shared.armed.counters().without(counters));
    }

    /// Arms exactly these counters.
    #[inline(always)]
    fn run_only(self, armed: CounterSet) {
        self.shared.changes.advance();
        if let Some(stale) = self.run_armed(armed) {
            self.run_again(stale);
        }
    }

    /// Arms exactly these counters, and enables those of them that have not ended. Returns the counters that were enabled, if
    /// `ended` has changed meanwhile.
    #[inline(always)]
    fn run_armed(self, armed: CounterSet) -> Option<CounterSet> {
        let shared = self.shared;
        shared.armed.set(armed.bits());
        self.fence();
        let ended = shared.ended.counters();
        self.driver.run(&shared.image, armed.without(ended));
        self.fence();
        (shared.ended.counters() != ended).then(|| armed.without(ended))
    }

    /// Enables the counters again until no interrupt ends one meanwhile, and takes back the events of those that have ended.
    /// Each armed one-shot can end only once.
    #[cold]
    #[inline(never)]
    fn run_again(self, mut enabled: CounterSet) {
        loop {
            let running = self.shared.running();
            let ended = enabled.without(running);
            self.driver.run(&self.shared.image, running);
            self.fence();
            if !ended.is_empty() {
                self.take_back_events(ended);
            }
            if self.shared.running() == running {
                return;
            }
            enabled = running;
        }
    }

    /// Undoes what counters have counted since the end of their one period. Frozen counters keep their counts,
    /// with what was added since the freeze.
    fn take_back_events(self, ended: CounterSet) {
        let (expired, pending) = (ended.and(self.shared.expired.counters()), self.pending(ended));
        self.restart_periods(expired, pending.and(expired).len());
        let frozen = pending.without(expired);
        if !frozen.is_empty() {
            self.settle_pending(frozen);
        }
    }

    /// Presets counters whose one-shot period has expired, and which have overflowed `overflows` times in all since. What they
    /// have counted since is discarded.
    fn restart_periods(self, ended: CounterSet, overflows: u32) {
        let (shared, driver) = (self.shared, self.driver);
        if overflows > 0 {
            shared.expected.expect(driver.late(), overflows, driver.registers().ticks());
        }
        ended.into_iter().for_each(|counter| shared.begin_period(driver, counter));
        driver.acknowledge(&shared.image, ended);
    }

    /// Accounts for the overflows of counters that were just stopped.
    #[inline(always)]
    pub(crate) fn settle(self, stopped: CounterSet) {
        let pending = self.pending(stopped);
        if !pending.is_empty() {
            self.settle_pending(pending);
        }
    }

    /// Returns those of these counters that have overflowed.
    #[inline(always)]
    fn pending(self, among: CounterSet) -> CounterSet {
        let mut pending = CounterSet::EMPTY;
        self.driver.overflowed(&self.shared.image, among, |counter, _| pending = pending.or(counter.only()));
        pending
    }

    /// Accounts for overflows of counters that were just stopped, and whose interrupt is still to come.
    #[cold]
    #[inline(never)]
    fn settle_pending(self, pending: CounterSet) {
        let (shared, driver) = (self.shared, self.driver);
        shared.expected.expect(driver.late(), pending.len(), driver.registers().ticks());
        shared.served.exclude(pending);
        self.fence();
        let mut settled = CounterSet::EMPTY;
        let is_served = |counter| {
            self.fence();
            shared.served.counters().contains(counter)
        };
        driver.overflowed(&shared.image, pending, |counter, past| {
            let snapshot = shared.account(counter).snapshot();
            // If an interrupt has served the counter since it was read, it is not past its overflow any more.
            if is_served(counter) {
                return;
            }
            let missed = shared.renew_stopped(driver, counter, snapshot, past);
            if !is_served(counter) {
                shared.count_lost(counter, snapshot.label, missed);
                settled = settled.or(counter.only());
            }
        });
        driver.acknowledge(&shared.image, pending);
        shared.expected.take_back(pending.len() - settled.len());
    }
}

impl<D: Driver> super::Shared<D> {
    /// Returns the counters that shall count now.
    #[inline(always)]
    pub(crate) fn running(&self) -> CounterSet {
        self.armed.counters().without(self.ended.counters())
    }

    #[inline(always)]
    pub(crate) fn account(&self, counter: CounterId) -> &Account {
        &self.accounts[counter.index()]
    }

    /// Returns the slot of a session's counter, with no more than reading and presetting need.
    pub(crate) fn slot(&self, counter: CounterId) -> Slot {
        Slot { counter, partner: self.account(counter).partner(counter), ..Slot::EMPTY }
    }

    /// Removes these counters from `ended`, so that they count if they are armed. Returns false, and they stay ended, if the
    /// unit was halted.
    #[inline(always)]
    pub(crate) fn clear_ended(&self, counters: CounterSet) -> bool {
        self.ended.counters().and(counters).is_empty() || self.try_clear_ended(counters)
    }

    #[inline(never)]
    fn try_clear_ended(&self, counters: CounterSet) -> bool {
        self.expired.exclude(counters);
        if self.is_halted() {
            return false;
        }
        self.ended.exclude(counters);
        let is_halted = self.ended.counters().or(counters) == CounterSet::ALL;
        if is_halted {
            // The unit was halted between the check and the change.
            self.end_all();
        }
        !is_halted
    }

    /// No counter counts any more, whatever is armed, until the unit is claimed anew. *Interrupt.*
    pub(super) fn end_all(&self) {
        self.ended.include(CounterSet::ALL);
    }

    /// Returns true if the unit was halted since it was claimed. Without a halt, only loaded counters have ended, and they are
    /// never 64.
    pub(crate) fn is_halted(&self) -> bool {
        self.ended.counters() == CounterSet::ALL
    }

    /// Ends a counter that has overflowed, if its period is one-shot, and the counters that its overflow freezes.
    #[inline(always)]
    pub(crate) fn end_if_once(&self, counter: CounterId, label: Label) {
        if label.is_once() {
            let frozen = if label.freezes() { self.scheduled.counters() } else { CounterSet::EMPTY };
            self.expired.include(counter.only());
            self.ended.include(frozen.or(counter.only()));
        }
    }

    /// No thread is switched in any more. Its counters do not run.
    #[inline(always)]
    pub(crate) fn unschedule(&self) {
        self.scheduled.set(0);
        self.occupant.set(0);
    }
}
