//! Arming, disarming, and accounting for the overflows of counters that were stopped.

use crate::contract::{Driver, Registers};
use crate::event::{CounterId, CounterSet};
use crate::sample::Label;
use crate::unit::Pmu;

impl<D: Driver> Pmu<'_, D> {
    #[inline(always)]
    pub(crate) fn fence(self) {
        self.driver.registers().fence();
    }

    /// Returns the loaded counters that are armed, whether they count or have ended.
    pub(crate) fn armed(self) -> CounterSet {
        self.shared.counting.armed.counters().and(self.occupied())
    }

    /// Starts these counters, beside what counts already. `run` is the last access to a register.
    #[inline(always)]
    pub(crate) fn arm(self, counters: CounterSet) {
        self.run_only(self.shared.counting.armed.counters().or(counters));
    }

    /// Stops these counters, and accounts for their overflows. A session's go on with the periods that were asked for.
    #[inline(never)]
    pub(crate) fn disarm(self, counters: CounterSet) {
        let armed = self.shared.counting.armed.counters();
        let stopped = armed.and(counters);
        if stopped.is_empty() {
            return;
        }
        self.shared.counting.changes.advance();
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
        self.run_only(self.shared.counting.armed.counters().without(counters));
    }

    /// Arms exactly these counters.
    #[inline(always)]
    fn run_only(self, armed: CounterSet) {
        self.shared.counting.changes.advance();
        if let Some(stale) = self.run_armed(armed) {
            self.run_again(stale);
        }
    }

    /// Arms exactly these counters, and enables those of them that have not ended. Returns the counters that were enabled, if
    /// `ended` has changed meanwhile.
    #[inline(always)]
    fn run_armed(self, armed: CounterSet) -> Option<CounterSet> {
        let counting = &self.shared.counting;
        counting.armed.set(armed.bits());
        self.fence();
        let ended = counting.ended.counters();
        self.driver.run(self.image(), armed.without(ended));
        self.fence();
        (counting.ended.counters() != ended).then(|| armed.without(ended))
    }

    /// Enables the counters again until no interrupt ends one meanwhile, and takes back the events of those that have ended.
    /// Each armed one-shot can end only once.
    #[cold]
    #[inline(never)]
    fn run_again(self, mut enabled: CounterSet) {
        loop {
            let running = self.shared.counting.running();
            let ended = enabled.without(running);
            self.driver.run(self.image(), running);
            self.fence();
            if !ended.is_empty() {
                self.take_back_events(ended);
            }
            if self.shared.counting.running() == running {
                return;
            }
            enabled = running;
        }
    }

    /// Undoes what counters have counted since the end of their one period. Frozen counters keep their counts,
    /// with what was added since the freeze.
    fn take_back_events(self, ended: CounterSet) {
        let (expired, pending) = (ended.and(self.shared.counting.expired.counters()), self.pending(ended));
        self.restart_periods(expired, pending.and(expired).len());
        let frozen = pending.without(expired);
        if !frozen.is_empty() {
            self.settle_pending(frozen);
        }
    }

    /// Presets counters whose one-shot period has expired, and which have overflowed `overflows` times in all since. What they
    /// have counted since is discarded.
    fn restart_periods(self, ended: CounterSet, overflows: u32) {
        let driver = self.driver;
        if overflows > 0 {
            self.shared.counting.expected.expect(driver.late(), overflows, || driver.registers().ticks());
        }
        ended.into_iter().for_each(|counter| self.begin_period(counter));
        driver.acknowledge(self.image(), ended);
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
        self.driver.overflowed(self.image(), among, |counter, _| pending = pending.or(counter.only()));
        pending
    }

    /// Accounts for overflows of counters that were just stopped, and whose interrupt is still to come.
    #[cold]
    #[inline(never)]
    fn settle_pending(self, pending: CounterSet) {
        let (counting, driver) = (&self.shared.counting, self.driver);
        counting.expected.expect(driver.late(), pending.len(), || driver.registers().ticks());
        counting.served.exclude(pending);
        self.fence();
        let mut settled = CounterSet::EMPTY;
        let is_served = |counter| {
            self.fence();
            counting.served.counters().contains(counter)
        };
        driver.overflowed(self.image(), pending, |counter, past| {
            let snapshot = counting.account(counter).snapshot();
            // If an interrupt has served the counter since it was read, it is not past its overflow any more.
            if is_served(counter) {
                return;
            }
            let missed = self.renew_stopped(counter, snapshot, past);
            if !is_served(counter) {
                counting.count_lost(counter, snapshot.label, missed);
                settled = settled.or(counter.only());
            }
        });
        driver.acknowledge(self.image(), pending);
        counting.expected.take_back(pending.len() - settled.len());
    }

    /// Ends a counter that has overflowed, if its period is one-shot, and the counters that its overflow freezes.
    #[inline(always)]
    pub(super) fn end_if_once(self, counter: CounterId, label: Label) {
        if label.is_once() {
            let shared = self.shared;
            let frozen = if label.freezes() { shared.residency.scheduled() } else { CounterSet::EMPTY };
            shared.counting.expired.include(counter.only());
            shared.counting.end(frozen.or(counter.only()));
        }
    }
}
