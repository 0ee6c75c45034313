//! A period that the kernel's own interrupt entry cannot keep up with is lengthened, so that the kernel makes progress.
//!
//! The handler measures an interrupt entry by how far the counter has gone past its overflow, and adds [`Kernel::exit_cost`].
//! A counter that does not count the kernel has not gone past at all, and is never slow. If the sum is more than an eighth of
//! the period for eight interrupts in a row, the period is doubled, and doubled again until the sum is no more than that. Each
//! end of a doubled period stands for several periods that were requested: one leaves a sample, and the others are counted as
//! throttled. The count stays exact. Only periods that repeat and leave samples are lengthened. After a stop, and when its
//! thread is switched in again, a counter goes on with the period that was requested.

use super::account::AccountSnapshot;
use super::{Account, Counting};
use crate::contract::{Driver, Kernel, Registers, Slot};
use crate::event::{CounterId, CounterSet, Remaining};
use crate::sample::Label;
use crate::unit::Pmu;

/// The interrupts in a row after which a period is doubled.
const PATIENCE: u64 = 8;

/// The part of a period that an entry may take: an eighth.
const SHARE: u64 = 8;

/// A period is not doubled beyond this: nothing waits for 2^63 events.
const LONGEST: u64 = 1 << 62;

/// How many low bits of an account's pace count slow interrupts in a row. The bits above count how often the period was
/// doubled.
const SLOW_BITS: u32 = 8;

impl Account {
    /// Returns how many requested periods the current period stands for, less one.
    #[inline(always)]
    fn left_out(&self) -> u64 {
        (1 << (self.pace.get() >> SLOW_BITS)) - 1
    }
}

impl Counting {
    fn change_pace(&self, counter: CounterId, label: Label, is_slow: bool) -> u64 {
        let account = self.account(counter);
        if !label.samples() || label.is_once() {
            return 0;
        }
        let (left_out, period) = (account.left_out(), account.period.get());
        let (doublings, slow) = (account.pace.get() >> SLOW_BITS, account.pace.get() % (1 << SLOW_BITS));
        let slow = if is_slow { slow + 1 } else { 0 };
        if slow >= PATIENCE && period <= LONGEST / 2 {
            account.period.set(period * 2);
            account.pace.set((doublings + 1) << SLOW_BITS);
            self.throttled.include(counter.only());
        } else {
            account.pace.set(doublings << SLOW_BITS | slow.min(PATIENCE));
        }
        left_out
    }

    /// Counts the samples that were left out at the end of a period, which stands for `left_out` more that were asked for,
    /// and of further periods that have passed.
    pub(super) fn count_passed(&self, counter: CounterId, label: Label, left_out: u64, missed: u64) {
        if label.samples() {
            let throttled = left_out.wrapping_add(missed.wrapping_mul(self.account(counter).left_out()));
            self.losses.outrun.update(|lost| lost.wrapping_add(missed));
            self.losses.throttled.update(|lost| lost.wrapping_add(throttled));
        }
    }

    /// Counts the samples that are lost because a period, and `missed` further ones, ended while the counter was being
    /// stopped. Nothing is lost if `missed` is `None`: then no period has ended.
    #[inline(always)]
    pub(super) fn count_lost(&self, counter: CounterId, label: Label, missed: Option<u64>) {
        if let Some(missed) = missed.filter(|_| label.samples()) {
            self.losses.stopped.update(|lost| lost.wrapping_add(1));
            self.count_passed(counter, label, self.account(counter).left_out(), missed);
        }
    }
}

impl<D: Driver> Pmu<'_, D> {
    /// Begins the next period of a counter that samples again and again, and whose interrupt has come soon. Returns false, and
    /// does nothing, for any other. *Interrupt.*
    #[inline(always)]
    pub(super) fn renew_soon(self, counter: CounterId, snapshot: AccountSnapshot, past: i64) -> bool {
        let (account, exit) = (self.shared.counting.account(counter), self.driver.registers().kernel().exit_cost());
        let (period, late) = (account.period.get(), past.wrapping_add(snapshot.excess).cast_unsigned());
        let is_soon = late < (period / SHARE).saturating_sub(exit) && account.pace.get() == 0;
        if !is_soon || snapshot.label.is_once() {
            return false;
        }
        self.begin(counter, snapshot.base.wrapping_add_signed(past), period.wrapping_sub(late));
        true
    }

    /// Doubles the next period of a counter that is `past` its overflow, if the kernel's entry cannot keep up with it. Returns
    /// how many requested periods the ended period stands for, less one. *Interrupt.*
    pub(super) fn pace(self, counter: CounterId, label: Label, past: i64) -> u64 {
        let (counting, account) = (&self.shared.counting, self.shared.counting.account(counter));
        let exit = self.driver.registers().kernel().exit_cost();
        let is_slow = past > 0 && past.unsigned_abs().saturating_add(exit) > account.period.get() / SHARE;
        if is_slow || account.pace.get() != 0 { counting.change_pace(counter, label, is_slow) } else { 0 }
    }

    /// Lets counters of sessions, which are stopped and settled, go on with the periods that were asked for.
    pub(super) fn end_throttling_of_sessions(self, counters: CounterSet) {
        let throttled = self.throttled_among(counters.and(self.shared.residency.reserved()));
        throttled.into_iter().for_each(|counter| self.end_throttling(&self.shared.residency.slot(counter)));
    }

    /// Returns those of these counters that may have another period than the one that was asked for.
    #[inline(always)]
    pub(crate) fn throttled_among(self, counters: CounterSet) -> CounterSet {
        self.shared.counting.throttled.counters().and(counters)
    }

    /// The slot's counter is stopped and settled, and goes on with the period that was asked for.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_throttling(self, slot: &Slot) {
        let (counting, counter) = (&self.shared.counting, slot.counter);
        let (account, known) = (counting.account(counter), self.driver.counter(slot));
        let (count, left) = self.collect(counter, &known);
        let asked = account.period.get() >> (account.pace.get() >> SLOW_BITS);
        let ahead = (left.count() - 1).checked_div(asked).unwrap_or(0);
        let passed = account.left_out().saturating_sub(ahead);
        counting.losses.throttled.update(|lost| lost.wrapping_add(passed));
        account.period.set(asked);
        account.pace.set(0);
        self.put(counter, known.width, count, Remaining::events(left.count() - ahead * asked));
        counting.throttled.exclude(counter.only());
    }
}
