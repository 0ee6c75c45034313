//! Where each counter counts, and its interrupt.

use core::cell::Cell;

use super::feed::kind;
use super::{Device, Thread};
use crate::arch::mips::mipsxx::PerfCtl;
use crate::event::{CounterId, CounterSet, Mode};
use crate::virt::{Kind, Kinds, Trigger, Work};

/// Returns a counter's number as an index.
fn index(id: CounterId) -> usize {
    id.number().into()
}

impl<T: Trigger> Device<T> {
    /// Returns the kind of work that a counter counts.
    fn selection(&self, id: CounterId) -> Option<Kind> {
        kind(self.capabilities.core, id.number() % 2 == 1, self.control(index(id)).event())
    }

    /// Returns true if a counter counts in this mode of the current thread. A hypervisor is in kernel mode.
    fn counts_in(&self, id: CounterId, mode: Mode) -> bool {
        let Thread { vpe, tc } = self.thread.get();
        let wanted = match mode {
            Mode::User => PerfCtl::USER,
            _ if self.exception.get() => PerfCtl::EXCEPTION,
            _ => PerfCtl::KERNEL,
        };
        let control = self.control(index(id));
        control.contains(wanted) && control.counts_thread(vpe, tc)
    }

    /// Returns the counters that count in some mode.
    pub(super) fn running(&self) -> CounterSet {
        let counts = |id: &CounterId| self.control(index(*id)).intersects(PerfCtl::MODES);
        self.capabilities.counters.into_iter().filter(counts).collect()
    }

    /// Returns the kinds that running counters count.
    pub(super) fn kinds(&self) -> Kinds {
        self.running().into_iter().filter_map(|id| self.selection(id)).fold(Kinds::NONE, Kinds::with)
    }

    /// Returns the running counters of kinds that the host does not observe.
    pub(super) fn silent(&self) -> CounterSet {
        let is_fed = |id: CounterId| self.selection(id).is_some_and(|kind| self.observed.contains(kind));
        self.running().into_iter().filter(|&id| !is_fed(id)).collect()
    }

    /// Returns how many events of `work` a counter counts.
    fn events(&self, id: CounterId, work: &Work) -> u64 {
        let events = self.selection(id).map_or(0, |kind| work.of(kind));
        if self.counts_in(id, work.mode()) { events } else { 0 }
    }

    /// Counts `work` on every counter, because no counter affects another. A counter that has wrapped through its
    /// overflow has not overflowed in the end.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        self.change(|| {
            for id in self.capabilities.counters {
                if let Some(counter) = self.counters.get(index(id)) {
                    let sum = counter.get().wrapping_add(self.events(id, work));
                    counter.set(sum & self.capabilities.width.mask());
                }
            }
        });
    }

    /// Makes a change, and sets the line.
    pub(super) fn change(&self, change: impl FnOnce()) {
        let before = self.is_asserted();
        change();
        self.line.moved(before, self.is_asserted());
    }

    /// Returns the lowest value at which a counter has overflowed.
    pub(super) fn sign(&self) -> u64 {
        1 << (self.capabilities.width.bits() - 1)
    }

    /// Returns the level of the interrupt line.
    pub fn is_asserted(&self) -> bool {
        let is_past = |id: CounterId| self.counters.get(index(id)).map_or(0, Cell::get) >= self.sign();
        self.interrupting().into_iter().any(is_past)
    }

    fn interrupting(&self) -> CounterSet {
        let interrupts = |id: &CounterId| self.control(index(*id)).contains(PerfCtl::INTERRUPT);
        self.capabilities.counters.into_iter().filter(interrupts).collect()
    }

    /// Returns after how many repetitions of `step` an overflow interrupts, or `None` if none will.
    pub(super) fn steps_until_interrupt(&self, step: &Work) -> Option<u64> {
        if self.is_asserted() {
            return None;
        }
        let steps = |id: CounterId| {
            let left = self.sign().checked_sub(self.counters.get(index(id))?.get())?.checked_sub(1)?;
            left.checked_div(self.events(id, step))?.checked_add(1)
        };
        self.interrupting().into_iter().filter_map(steps).min()
    }
}
