//! Periods: how many events there are from one overflow to the next, and what is left of them when a counter stops.

use super::account::AccountSnapshot;
use crate::contract::{Counter, Driver};
use crate::event::{CounterId, CounterSet, Remaining, Width};
use crate::sample::Label;
use crate::unit::Pmu;

impl<D: Driver> Pmu<'_, D> {
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
        let (account, position) = (self.shared.counting.account(counter), width.position(self.driver.read(handle)));
        let left = width.longest().wrapping_sub(position).wrapping_sub(account.excess.get());
        (account.base.get().wrapping_add(position), left.cast_signed())
    }

    /// Ends the period of a stopped counter, which has not overflowed.
    #[cold]
    #[inline(never)]
    fn end_period(self, counter: CounterId, handle: D::Handle, width: Width) -> (u64, Remaining) {
        let mut snapshot = self.shared.counting.account(counter).snapshot();
        let left = width.longest().wrapping_sub(width.position(self.driver.read(handle)));
        snapshot.base = snapshot.base.wrapping_sub(left);
        snapshot.excess = snapshot.excess.wrapping_sub_unsigned(left);
        let missed = self.renew_stopped(counter, snapshot, 0);
        self.shared.counting.count_lost(counter, snapshot.label, missed);
        let (count, left) = self.position(counter, handle, width);
        (count, Remaining::events(left.cast_unsigned()))
    }

    /// Presets a counter that is not armed, with so many events left of its period, and makes its count `count`. If it only
    /// counts, `left` is the most that it is to wait for.
    #[inline(always)]
    pub(crate) fn put(self, counter: CounterId, width: Width, count: u64, left: Remaining) {
        let account = self.shared.counting.account(counter);
        account.room.set(0);
        let (actual, excess) = if account.period.get() == 0 {
            (self.driver.preset(self.image(), counter, left).count(), 0)
        } else {
            let actual = self.preset(counter, left);
            (actual, actual.wrapping_sub(left.count()))
        };
        account.base.set(count.wrapping_add(actual).wrapping_sub(width.longest()));
        account.excess.set(excess);
    }

    /// Takes a stopped counter's count into its account, and notes how many events are left.
    pub(in crate::unit) fn park(self, counter: CounterId) {
        let account = self.shared.counting.account(counter);
        let known = self.driver.counter(&self.shared.residency.slot(counter));
        let (count, left) = self.collect(counter, &known);
        account.parked.set(left.count());
        account.base.set(count);
    }

    /// Presets the counter to what was left.
    pub(in crate::unit) fn unpark(self, counter: CounterId) {
        let account = self.shared.counting.account(counter);
        let width = self.driver.counter(&self.shared.residency.slot(counter)).width;
        self.put(counter, width, account.base.get(), Remaining::events(account.parked.get()));
    }

    /// Makes these counters only count, as far as they had periods.
    #[inline(always)]
    pub(crate) fn end_sampling(self, counters: CounterSet) {
        let stale = self.shared.counting.sampling.counters().and(counters);
        if !stale.is_empty() {
            self.end_periods(stale);
        }
    }

    /// Makes counters only count that had periods.
    #[cold]
    #[inline(never)]
    fn end_periods(self, counters: CounterSet) {
        let counting = &self.shared.counting;
        counters.into_iter().for_each(|counter| counting.account(counter).only_count());
        counting.sampling.set(counting.sampling.counters().without(counters).bits());
        counting.throttled.exclude(counters);
    }

    /// Gives a counter that does not run a period, and says what its overflows do.
    #[inline(always)]
    pub(crate) fn sample(self, counter: CounterId, period: u64, label: Label) {
        let counting = &self.shared.counting;
        counting.sampling.set(counting.sampling.counters().or(counter.only()).bits());
        counting.account(counter).sample(period, label);
    }

    /// Presets a counter that does not run to a whole period, and leaves its account as it is.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_period(self, counter: CounterId) {
        self.preset(counter, Remaining::events(self.shared.counting.period(counter)));
    }

    /// Presets a counter that does not run. Returns the number of events that it was really preset to.
    #[inline(always)]
    fn preset(self, counter: CounterId, remaining: Remaining) -> u64 {
        let actual = self.driver.preset(self.image(), counter, remaining).count();
        if actual < remaining.count() { self.preset_in_part(counter, remaining) } else { actual }
    }

    /// Presets a counter that cannot wait for `remaining` events, and overflows several times before. Each time it waits for
    /// at least half of the most that it can, so that the last part is not too short.
    #[cold]
    #[inline(never)]
    fn preset_in_part(self, counter: CounterId, remaining: Remaining) -> u64 {
        self.driver.preset(self.image(), counter, Remaining::events(remaining.count() / 2)).count()
    }

    /// Begins the next period of a counter that does not run and is `past` its overflow. The events since the end of the
    /// last period belong to it; a one-shot period begins whole. `snapshot` is the account's as it was before the counter
    /// was read.
    ///
    /// Returns how many further periods have passed: their samples are lost, their events are not. Returns `None` if the
    /// period is longer than the counter could wait for, and has not ended.
    pub(super) fn renew(self, counter: CounterId, snapshot: AccountSnapshot, past: i64) -> Option<u64> {
        let period = self.shared.counting.period(counter);
        let late = past.wrapping_add(snapshot.excess) as u64;
        if late >= period || snapshot.label.is_once() {
            return self.renew_otherwise(counter, (snapshot.base, snapshot.excess), past);
        }
        self.begin(counter, snapshot.base.wrapping_add(past as u64), period.wrapping_sub(late));
        Some(0)
    }

    /// The same for a counter that a thread has stopped. If its period was one-shot, it has ended.
    #[cold]
    #[inline(never)]
    pub(super) fn renew_stopped(self, counter: CounterId, snapshot: AccountSnapshot, past: i64) -> Option<u64> {
        let missed = self.renew(counter, snapshot, past);
        if missed.is_some() {
            self.end_if_once(counter, snapshot.label);
        }
        missed
    }

    /// The same for a counter that only counts, for a period that is one-shot, for one that the counter was too narrow for,
    /// for a counter that has overflowed early, and for one that has since passed further periods.
    #[cold]
    #[inline(never)]
    fn renew_otherwise(self, counter: CounterId, (base, excess): (u64, i64), past: i64) -> Option<u64> {
        let account = self.shared.counting.account(counter);
        let (period, late) = (account.period.get(), past.wrapping_add(excess));
        if period == 0 {
            let actual = self.preset_anew(counter);
            account.base.set(base.wrapping_add(past as u64).wrapping_add(actual));
            return Some(0);
        }
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
        self.begin(counter, base.wrapping_add(counted as u64), left);
        missed
    }

    /// Presets a counter that does not run to wait for `left` events. `counted` is its count less half its modulus.
    #[inline(always)]
    pub(super) fn begin(self, counter: CounterId, counted: u64, left: u64) {
        let account = self.shared.counting.account(counter);
        let actual = self.preset(counter, Remaining::events(left));
        account.base.set(counted.wrapping_add(actual));
        account.excess.set(actual.wrapping_sub(left));
    }
}
