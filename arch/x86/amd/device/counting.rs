//! What happens as the processor works: counters count, overflow, and interrupt.

use super::{Device, Select, Svm, feed, index};
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

    /// The counters that run on something that the host does not observe. The upper half of a
    /// merged pair has nothing to observe.
    pub(super) fn silent(&self) -> CounterSet {
        let is_fed = |id: CounterId| self.kind(id).is_some_and(|kind| self.feed.observes(kind));
        self.running().into_iter().filter(|&id| !is_fed(id) && !self.is_upper_half(id)).collect()
    }

    /// The counters that count in some mode.
    pub(super) fn running(&self) -> CounterSet {
        self.enabled().into_iter().filter(|&id| self.modes(id) != Modes::NONE).collect()
    }

    /// The counters that global control lets count.
    fn enabled(&self) -> CounterSet {
        let all = self.limits.counters();
        if self.limits.has_global() { all.and(CounterSet::from_bits(self.control.get())) } else { all }
    }

    /// The modes in which a counter counts, once it is enabled globally.
    fn modes(&self, id: CounterId) -> Modes {
        let select = self.select(index(id));
        if counts_in(select, self.svm.get()) { feed::modes(select) } else { Modes::NONE }
    }

    /// What a counter counts; `None` if no work says so.
    fn kind(&self, id: CounterId) -> Option<Kind> {
        self.feed.kind(id, self.select(index(id)))
    }

    fn interrupts(&self, id: CounterId) -> bool {
        self.select(index(id)).contains(Select::INTERRUPT)
    }

    /// Is it the odd counter of a merged pair?
    fn is_upper_half(&self, id: CounterId) -> bool {
        index(id).checked_sub(1).is_some_and(|even| self.is_merged(even))
    }

    /// How many events a running counter sees in `work`.
    fn events(&self, id: CounterId, work: &Work) -> u64 {
        match self.kind(id) {
            Some(kind) if self.modes(id).contains(work.mode()) => work.of(kind),
            _ => 0,
        }
    }

    /// Counts what one counter sees of `work`; did it overflow?
    fn count_one(&self, id: CounterId, work: &Work) -> bool {
        let (before, events) = (self.value(index(id)), self.events(id, work));
        self.set_value(index(id), before.wrapping_add(events));
        events > self.reach(id) - before
    }

    /// Sets a counter, and the upper half that is merged with it.
    fn set_value(&self, number: usize, value: u64) {
        self.upper_half(number).into_iter().for_each(|upper| upper.set(value >> 48));
        self.counters.get(number).into_iter().for_each(|own| own.set(value & self.limits.mask()));
    }

    /// The highest value that a counter has.
    fn reach(&self, id: CounterId) -> u64 {
        if self.is_merged(index(id)) { u64::MAX } else { self.limits.mask() }
    }

    /// Notes overflows in the status, if there is one, and interrupts for those that want it.
    fn overflow(&self, counters: CounterSet) {
        if self.limits.has_global() {
            self.status.set(self.status.get() | counters.bits());
        }
        if counters.into_iter().any(|id| self.interrupts(id)) {
            self.trigger.interrupt();
        }
    }

    /// How many steps of `step` until this counter overflows; `None` if it sees nothing of them.
    fn steps(&self, id: CounterId, step: &Work) -> Option<u64> {
        let left = self.reach(id) - self.value(index(id));
        left.checked_div(self.events(id, step))?.checked_add(1)
    }
}

/// Does a counter with this selector count on this side of SVM? One that asks for a side, even for
/// both, counts nothing while SVM is off (APM vol. 2, "Performance Monitoring Counters", table
/// "Host/Guest Only Bits": each of them has EFER.SVME = 1 for its condition).
fn counts_in(select: Select, svm: Svm) -> bool {
    let (guest, host) = (select.contains(Select::GUEST_ONLY), select.contains(Select::HOST_ONLY));
    match svm {
        Svm::Off => !guest && !host,
        Svm::Host => host || !guest,
        Svm::Guest => guest || !host,
    }
}
