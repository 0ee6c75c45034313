//! What happens as the processor works: counters count, overflow, and interrupt.

use super::feed::{self, Feed};
use super::{Device, FixedControl, GlobalStatus, Select};
use crate::counter::{CounterId, CounterSet};
use crate::event::Modes;
use crate::virt::{Kind, Kinds, Trigger, Work};

impl<T: Trigger> Device<T> {
    /// Counts `work` on every counter that runs.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        let overflowed: CounterSet = self.running().into_iter().filter(|&id| self.count_one(id, work)).collect();
        if !overflowed.is_empty() {
            self.overflow(overflowed);
        }
    }

    /// How many steps of `step` until a counter interrupts; `None` if none will.
    pub(super) fn steps_until_overflow(&self, step: &Work) -> Option<u64> {
        let interrupting = self.running().into_iter().filter(|&id| self.interrupts(id));
        interrupting.filter_map(|id| self.steps(id, step)).min()
    }

    /// What the counters that run count.
    pub(super) fn kinds(&self) -> Kinds {
        self.running().into_iter().filter_map(|id| self.kind(id)).fold(Kinds::NONE, Kinds::with)
    }

    /// The counters that run on something that the host does not observe.
    pub(super) fn silent(&self) -> CounterSet {
        let is_fed = |id: CounterId| self.kind(id).is_some_and(|kind| self.feed.observes(kind));
        self.running().into_iter().filter(|&id| !is_fed(id)).collect()
    }

    /// The modes in which a counter counts, once it is enabled globally.
    fn modes(&self, id: CounterId) -> Modes {
        match self.select(id) {
            Some(select) => feed::modes(select),
            None => feed::modes_of_fixed(self.fixed_control(id)),
        }
    }

    /// What a counter counts; `None` if no work says so.
    fn kind(&self, id: CounterId) -> Option<Kind> {
        match self.select(id) {
            Some(select) => self.feed.kind(select),
            None => Feed::kind_of_fixed(id),
        }
    }

    pub(super) fn interrupts(&self, id: CounterId) -> bool {
        match self.select(id) {
            Some(select) => select.contains(Select::INTERRUPT),
            None => self.fixed_control(id).contains(FixedControl::INTERRUPT),
        }
    }

    /// How many events a running counter sees in `work`.
    fn events(&self, id: CounterId, work: &Work) -> u64 {
        match self.kind(id) {
            Some(kind) if self.modes(id).contains(work.mode()) => work.of(kind),
            _ => 0,
        }
    }

    /// The counters that count in some mode.
    pub(super) fn running(&self) -> CounterSet {
        let enabled = self.limits.counters().and(self.enabled());
        enabled.into_iter().filter(|&id| self.modes(id) != Modes::NONE).collect()
    }

    /// The counters that global control and status let count.
    fn enabled(&self) -> CounterSet {
        let status = GlobalStatus::from_bits_retain(self.global_status.get());
        match self.limits.has_global() {
            false => self.limits.counters(),
            true if status.contains(GlobalStatus::COUNTERS_FROZEN) => CounterSet::EMPTY,
            true => CounterSet::from_bits(self.global_control.get()),
        }
    }

    /// Counts what one counter sees of `work`; did it overflow?
    fn count_one(&self, id: CounterId, work: &Work) -> bool {
        let events = self.events(id, work);
        let mask = self.limits.mask(id);
        self.counter(id).is_some_and(|cell| {
            let before = cell.get();
            cell.set(before.wrapping_add(events) & mask);
            events > mask - before
        })
    }

    /// Notes overflows in the status, if there is one, and interrupts for those that want it.
    fn overflow(&self, counters: CounterSet) {
        if self.limits.has_global() {
            self.global_status.set(self.global_status.get() | counters.bits());
        }
        if counters.into_iter().any(|id| self.interrupts(id)) {
            self.trigger.interrupt();
        }
    }

    /// How many steps of `step` until this counter overflows; `None` if it sees nothing of them.
    fn steps(&self, id: CounterId, step: &Work) -> Option<u64> {
        let left = self.limits.mask(id) - self.counter(id)?.get();
        left.checked_div(self.events(id, step))?.checked_add(1)
    }
}
