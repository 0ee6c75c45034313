//! Which of the two counters count, what they count, and how far: what [`Counting`] is built on.

use super::{Device, Select, index};
use crate::arch::x86::device::{self, Counting};
use crate::event::{CounterId, CounterSet, Modes};
use crate::virt::{Kind, Trigger};

impl<T: Trigger> Counting for Device<T> {
    /// EN of PerfEvtSel0 enables both.
    fn enabled(&self) -> CounterSet {
        if self.select(0).contains(Select::ENABLE) { CounterSet::first(2) } else { CounterSet::EMPTY }
    }

    fn modes(&self, id: CounterId) -> Modes {
        let select = self.select(index(id));
        device::modes_of(select.contains(Select::USER), select.contains(Select::KERNEL))
    }

    fn kind(&self, id: CounterId) -> Option<Kind> {
        self.feed.kind(self.select(index(id)))
    }

    fn observes(&self, kind: Kind) -> bool {
        self.feed.observes(kind)
    }

    fn interrupts(&self, id: CounterId) -> bool {
        self.limits.has_apic() && self.select(index(id)).contains(Select::INTERRUPT)
    }

    fn value(&self, id: CounterId) -> u64 {
        self.counters.get(index(id)).map_or(0, core::cell::Cell::get)
    }

    fn set_value(&self, id: CounterId, value: u64) {
        self.counters.get(index(id)).into_iter().for_each(|cell| cell.set(value & self.limits.mask()));
    }

    fn reach(&self, _: CounterId) -> u64 {
        self.limits.mask()
    }

    fn tick(&self, cycles: u64) {
        self.ticks.set(self.ticks.get().wrapping_add(cycles));
    }

    /// There is no status.
    fn note(&self, _: CounterSet) {}

    fn pull(&self) {
        self.line.interrupt();
    }
}
