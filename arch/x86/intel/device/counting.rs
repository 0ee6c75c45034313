//! Which of Intel's counters count, what they count, and how far: what [`Counting`] is built on.

use core::cell::Cell;

use super::feed::{self, Feed};
use super::{Device, FixedControl, GlobalStatus, Select};
use crate::arch::x86::device::{self, Counting};
use crate::arch::x86::intel::sharing::TAKEN;
use crate::event::{CounterId, CounterSet, Modes};
use crate::virt::{Kind, Trigger};

impl<T: Trigger> Counting for Device<T> {
    fn enabled(&self) -> CounterSet {
        let all = self.limits.counters();
        let all = if self.is_short_of_one() { all.without(TAKEN) } else { all };
        let status = GlobalStatus::from_bits_retain(self.global_status.get());
        match self.limits.has_global() {
            false => all,
            true if status.contains(GlobalStatus::COUNTERS_FROZEN) => CounterSet::EMPTY,
            true => all.and(CounterSet::from_bits(self.global_control.get())),
        }
    }

    fn modes(&self, id: CounterId) -> Modes {
        match self.select(id) {
            Some(select) => device::modes(select.bits()),
            None => feed::modes_of_fixed(self.fixed_control(id)),
        }
    }

    fn kind(&self, id: CounterId) -> Option<Kind> {
        match self.select(id) {
            Some(select) => self.feed.kind(select),
            None => Feed::kind_of_fixed(id),
        }
    }

    fn observes(&self, kind: Kind) -> bool {
        self.feed.observes(kind)
    }

    fn interrupts(&self, id: CounterId) -> bool {
        match self.select(id) {
            Some(select) => select.contains(Select::INTERRUPT),
            None => self.fixed_control(id).contains(FixedControl::INTERRUPT),
        }
    }

    fn value(&self, id: CounterId) -> u64 {
        self.counter(id).map_or(0, Cell::get)
    }

    fn set_value(&self, id: CounterId, value: u64) {
        self.counter(id).into_iter().for_each(|cell| cell.set(value & self.limits.mask(id)));
    }

    fn reach(&self, id: CounterId) -> u64 {
        self.limits.mask(id)
    }

    fn tick(&self, cycles: u64) {
        self.ticks.set(self.ticks.get().wrapping_add(cycles));
    }

    fn note(&self, overflowed: CounterSet) {
        if self.limits.has_global() {
            self.global_status.set(self.global_status.get() | overflowed.bits());
        }
    }

    fn pull(&self) {
        self.freeze();
        self.line.interrupt();
    }
}
