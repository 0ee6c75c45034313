//! One request of a thread: what it has counted, and what is left of its period.

use crate::contract::{Driver, Slot};
use crate::event::{Remaining, Request};
use crate::measure::open::period_of;
use crate::sample::Label;
use crate::unit::Pmu;

/// What is known of a request while its thread is switched out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) count: u64,
    /// What is left of its period, if it samples.
    pub(super) left: Remaining,
}

impl Entry {
    /// Of no request.
    pub(super) const NOTHING: Self = Self { count: 0, left: NO_PERIOD };

    /// A count that begins where the request has it begin, with a whole period.
    pub(super) fn beginning(request: &Request) -> Self {
        Self { count: request.preset, left: period_of(request, NO_PERIOD) }
    }

    /// Replaces what is left by a whole new period, if a whole old period is left.
    pub(super) fn change_period(&mut self, old: &Request, new: &Request) {
        if self.left == period_of(old, NO_PERIOD) {
            self.left = period_of(new, NO_PERIOD);
        }
    }

    /// Gives the request this slot's counter, with its count and what was left of its period.
    #[inline(always)]
    pub(super) fn bring<D: Driver>(&self, pmu: Pmu<'_, D>, slot: &Slot, request: &Request, label: Label) {
        let counter = pmu.driver.counter(slot);
        let (period, left) = match label.samples() {
            true => (period_of(request, counter.longest), self.left),
            false => (counter.longest, counter.longest),
        };
        let account = pmu.shared.account(slot.counter);
        account.period.set(period.count());
        pmu.shared.begin_pace(slot.counter);
        account.label.set(label.bits());
        pmu.put(slot.counter, counter.width, self.count, left);
    }

    /// Takes the count and what is left of the period from the slot's counter, which is stopped.
    #[inline(always)]
    pub(super) fn take<D: Driver>(&mut self, pmu: Pmu<'_, D>, slot: &Slot) {
        let counter = pmu.driver.counter(slot);
        (self.count, self.left) = pmu.collect(slot.counter, &counter);
    }
}

/// Of a request that does not sample.
const NO_PERIOD: Remaining = Remaining::events(1);

/// Returns the count of a slot's counter. An interrupt may change the account meanwhile.
#[inline(always)]
pub(super) fn count_on<D: Driver>(pmu: Pmu<'_, D>, slot: &Slot) -> u64 {
    let counter = pmu.driver.counter(slot);
    let base = pmu.shared.account(slot.counter).base.get();
    base.wrapping_add(counter.width.position(pmu.driver.read(counter.handle)))
}
