//! Which of the two counters count, what they count, and how far: what [`Counting`] is built on.

use super::feed::kind;
use super::{Device, Select, index};
use crate::arch::x86::device::{self, Counter, Counting};
use crate::event::{CounterId, CounterSet, Mode};
use crate::virt::{Decode, Selected, Source, Table, Trigger};

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        CounterSet::first(2)
    }

    fn decode(&self, id: CounterId) -> Selected {
        let select = self.select(index(id));
        Selected {
            modes: device::modes_of(select.contains(Select::USER), select.contains(Select::KERNEL)),
            source: Source::of_known(kind(select)),
            interrupts: self.limits.has_apic() && select.contains(Select::INTERRUPT),
        }
    }

    /// EN of PerfEvtSel0 enables both.
    fn enabled(&self, _: Mode) -> CounterSet {
        if self.select(0).contains(Select::ENABLE) { CounterSet::first(2) } else { CounterSet::EMPTY }
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.select(index(id)).bits()
    }
}

impl<T: Trigger> Counting for Device<T> {
    #[inline(always)]
    fn counter(&self, id: CounterId) -> Option<&Counter> {
        self.counters.get(index(id))
    }

    fn wrap(&self, id: CounterId, events: u64) -> bool {
        self.counters.get(index(id)).into_iter().for_each(|counter| counter.wrap(events, self.limits.mask()));
        true
    }

    #[inline(always)]
    fn tick(&self, cycles: u64) {
        self.ticks.set(self.ticks.get().wrapping_add(cycles));
    }

    /// There is no status.
    fn note(&self, _: CounterSet) {}

    fn pull(&self) {
        self.line.interrupt();
    }
}
