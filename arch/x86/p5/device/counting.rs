//! Which of the Pentium's counters count, what they count, and how far: what [`Counting`] is built on.

use super::Device;
use crate::arch::x86::device::{Counting, modes_of};
use crate::arch::x86::p5::{Capabilities, Select};
use crate::event::{CounterId, CounterSet, Modes};
use crate::virt::Kind;

impl Counting for Device {
    fn enabled(&self) -> CounterSet {
        CounterSet::first(2)
    }

    fn modes(&self, id: CounterId) -> Modes {
        let select = self.control().select(id);
        modes_of(select.contains(Select::USER), select.contains(Select::KERNEL))
    }

    fn kind(&self, id: CounterId) -> Option<Kind> {
        self.feed.kind(id, self.control().select(id))
    }

    fn observes(&self, kind: Kind) -> bool {
        self.feed.observes(kind)
    }

    fn interrupts(&self, _: CounterId) -> bool {
        false
    }

    fn value(&self, id: CounterId) -> u64 {
        self.counter(id).get()
    }

    fn set_value(&self, id: CounterId, value: u64) {
        self.counter(id).set(value & Capabilities::WIDTH.mask());
    }

    fn reach(&self, _: CounterId) -> u64 {
        Capabilities::WIDTH.mask()
    }

    fn tick(&self, cycles: u64) {
        self.ticks.set(self.ticks.get().wrapping_add(cycles));
    }

    fn note(&self, _: CounterSet) {}

    fn pull(&self) {}
}
