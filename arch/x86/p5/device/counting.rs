//! Which of the Pentium's counters count, what they count, and how far: what [`Counting`] is built on.

use super::Device;
use crate::arch::x86::device::{Counter, Counting, modes_of};
use crate::arch::x86::p5::{Capabilities, Select};
use crate::event::{CounterId, CounterSet, Mode};
use crate::virt::{Decode, Selected, Source, Table};

impl Decode for Device {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        CounterSet::first(2)
    }

    fn decode(&self, id: CounterId) -> Selected {
        let select = self.control().select(id);
        Selected {
            modes: modes_of(select.contains(Select::USER), select.contains(Select::KERNEL)),
            source: Source::of_known(self.feed.kind(id, select)),
            interrupts: false,
        }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        CounterSet::first(2)
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.control().select(id).bits()
    }
}

impl Counting for Device {
    #[inline(always)]
    fn counter(&self, id: CounterId) -> Option<&Counter> {
        Some(self.counter_of(id))
    }

    fn wrap(&self, id: CounterId, events: u64) -> bool {
        self.counter_of(id).wrap(events, Capabilities::WIDTH.mask());
        true
    }

    #[inline(always)]
    fn tick(&self, cycles: u64) {
        self.ticks.set(self.ticks.get().wrapping_add(cycles));
    }

    fn note(&self, _: CounterSet) {}

    fn pull(&self) {}
}
