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

use super::account::AccountSnapshot;
use super::{Account, Pmu};
use crate::contract::{Counter, Driver, Kernel, Registers, Slot};
use crate::event::{CounterId, CounterSet, Remaining, Width};
use crate::sample::Label;

impl<D: Driver> Pmu<'_, D> {
    #[inline(always)]
    pub(crate) fn fence(self) {
        self.driver.registers().fence();
    }

    /// Returns the time, which goes on over a sleep.
    #[inline(always)]
    pub(crate) fn now(self) -> u64 {
        let registers = self.driver.registers();
        registers.kernel().clock(registers).wrapping_add(self.shared.clock_base.get())
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
        let shared = self.shared;
        shared.changes.advance();
        if let Some(stale) = self.run_armed(shared.armed.counters().or(counters)) {
            self.run_again(stale);
        }
    }

    /// Stops these counters, and accounts for their overflows.
    #[inline(never)]
    pub(crate) fn disarm(self, counters: CounterSet) {
        let shared = self.shared;
        let armed = shared.armed.counters();
        let stopped = armed.and(counters);
        if stopped.is_empty() {
            return;
        }
        shared.changes.advance();
        match self.run_armed(armed.without(stopped)) {
            None => self.settle(stopped),
            Some(stale) => self.run_again_and_settle(stale, stopped),
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

    /// Enables the counters again after an interrupt during a stop, then accounts for overflows.
    #[cold]
    #[inline(never)]
    fn run_again_and_settle(self, enabled: CounterSet, stopped: CounterSet) {
        self.run_again(enabled);
        self.settle(stopped);
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
    fn settle(self, stopped: CounterSet) {
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

    /// Returns the count of a counter that is stopped and settled, and how many events are left of its period.
    ///
    /// The period may be over although the counter has not overflowed, because the counter was preset beyond the period's end.
    /// Then the period ends here; otherwise the next preset would delay its end again.
    #[inline(always)]
    pub(crate) fn collect(self, counter: CounterId, known: &Counter<D::Handle>) -> (u64, Remaining) {
        let (handle, width) = (known.handle, known.width);
        let (count, left) = self.position(counter, handle, width);
        if left > 0 { (count, Remaining::events(left.unsigned_abs())) } else { self.end_period(counter, handle, width) }
    }

    /// Returns the count of a counter, and how many events are left of its period: negative if more have happened.
    #[inline(always)]
    fn position(self, counter: CounterId, handle: D::Handle, width: Width) -> (u64, i64) {
        let (account, position) = (self.shared.account(counter), width.position(self.driver.read(handle)));
        let left = width.longest().wrapping_sub(position).wrapping_sub(account.excess.get());
        (account.base.get().wrapping_add(position), left.cast_signed())
    }

    /// Ends the period of a stopped counter, which has not overflowed.
    #[cold]
    #[inline(never)]
    fn end_period(self, counter: CounterId, handle: D::Handle, width: Width) -> (u64, Remaining) {
        let mut snapshot = self.shared.account(counter).snapshot();
        let left = width.longest().wrapping_sub(width.position(self.driver.read(handle)));
        snapshot.base = snapshot.base.wrapping_sub(left);
        snapshot.excess = snapshot.excess.wrapping_sub_unsigned(left);
        let missed = self.shared.renew_stopped(self.driver, counter, snapshot, 0);
        self.shared.count_lost(counter, snapshot.label, missed);
        let (count, left) = self.position(counter, handle, width);
        (count, Remaining::events(left.cast_unsigned()))
    }

    /// Presets a counter that is not armed, with so many events left of its period, and makes its count `count`.
    #[inline(always)]
    pub(crate) fn put(self, counter: CounterId, width: Width, count: u64, left: Remaining) {
        let account = self.shared.account(counter);
        let actual = self.shared.preset(self.driver, counter, left);
        account.base.set(count.wrapping_add(actual).wrapping_sub(width.longest()));
        account.excess.set(actual.wrapping_sub(left.count()));
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

    /// Presets a counter that does not run to a whole period, and leaves its account as it is.
    #[cold]
    #[inline(never)]
    pub(crate) fn begin_period(&self, driver: &D, counter: CounterId) {
        self.preset(driver, counter, Remaining::events(self.account(counter).period.get()));
    }

    /// Presets a counter that does not run. Returns the number of events that it was really preset to.
    #[inline(always)]
    fn preset(&self, driver: &D, counter: CounterId, remaining: Remaining) -> u64 {
        let actual = driver.preset(&self.image, counter, remaining).count();
        if actual < remaining.count() { self.preset_in_part(driver, counter, remaining) } else { actual }
    }

    /// Presets a counter that cannot wait for `remaining` events, and overflows several times before. Each time it waits for
    /// at least half of the most that it can, so that the last part is not too short.
    #[cold]
    #[inline(never)]
    fn preset_in_part(&self, driver: &D, counter: CounterId, remaining: Remaining) -> u64 {
        driver.preset(&self.image, counter, Remaining::events(remaining.count() / 2)).count()
    }

    /// Begins the next period of a counter that does not run and is `past` its overflow. The events since the end of the
    /// last period belong to it; a one-shot period begins whole. `snapshot` is the account's as it was before the counter
    /// was read.
    ///
    /// Returns how many further periods have passed: their samples are lost, their events are not. Returns `None` if the
    /// period is longer than the counter could wait for, and has not ended.
    #[inline(always)]
    pub(crate) fn renew(&self, driver: &D, counter: CounterId, snapshot: AccountSnapshot, past: i64) -> Option<u64> {
        let period = self.account(counter).period.get();
        let late = past.wrapping_add(snapshot.excess) as u64;
        if late >= period || snapshot.label.is_once() {
            return self.renew_otherwise(driver, counter, (snapshot.base, snapshot.excess), past);
        }
        self.begin(driver, counter, snapshot.base.wrapping_add(past as u64), period.wrapping_sub(late));
        Some(0)
    }

    /// The same for a counter that a thread has stopped. If its period was one-shot, it has ended.
    #[cold]
    #[inline(never)]
    pub(crate) fn renew_stopped(
        &self,
        driver: &D,
        counter: CounterId,
        snapshot: AccountSnapshot,
        past: i64,
    ) -> Option<u64> {
        let missed = self.renew(driver, counter, snapshot, past);
        if missed.is_some() {
            self.end_if_once(counter, snapshot.label);
        }
        missed
    }

    /// The same for a period that is one-shot, for one that the counter was too narrow for, for a counter that has
    /// overflowed early, and for one that has since passed further periods.
    #[cold]
    #[inline(never)]
    fn renew_otherwise(&self, driver: &D, counter: CounterId, (base, excess): (u64, i64), past: i64) -> Option<u64> {
        let account = self.account(counter);
        let (period, late) = (account.period.get(), past.wrapping_add(excess));
        let mut missed = Some(0);
        let (counted, left) = if late < 0 && excess < 0 {
            missed = None;
            (past, late.unsigned_abs())
        } else if Label::from_bits(account.label.get()).is_once() {
            (excess.min(0).wrapping_neg(), period)
        } else if late < 0 {
            (past, period.wrapping_add(late.unsigned_abs()))
        } else {
            let passed = late.unsigned_abs().checked_div(period).unwrap_or(0);
            missed = Some(passed);
            (past, period.wrapping_sub(late.unsigned_abs().wrapping_sub(period.wrapping_mul(passed))))
        };
        self.begin(driver, counter, base.wrapping_add(counted as u64), left);
        missed
    }

    /// Presets a counter that does not run to wait for `left` events. `counted` is its count less half its modulus.
    #[inline(always)]
    fn begin(&self, driver: &D, counter: CounterId, counted: u64, left: u64) {
        let account = self.account(counter);
        let actual = self.preset(driver, counter, Remaining::events(left));
        account.base.set(counted.wrapping_add(actual));
        account.excess.set(actual.wrapping_sub(left));
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
