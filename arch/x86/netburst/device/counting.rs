//! Which of the counters count, what they count, and how far: what [`Counting`] is built on.

use core::cell::Cell;

use super::{Cccr, Device, index};
use crate::arch::x86::device::{Counting, modes_of};
use crate::event::{CounterId, CounterSet, Modes};
use crate::virt::{Kind, Trigger};

impl<T: Trigger> Counting for Device<T> {
    fn enabled(&self) -> CounterSet {
        CounterSet::first(super::COUNTERS)
    }

    fn modes(&self, id: CounterId) -> Modes {
        let cccr = self.cccr(id);
        let escr = self.escr(id).filter(|_| cccr.contains(Cccr::ENABLE) && self.limits.is_active(cccr));
        let [user, kernel] = self.limits.modes();
        escr.map_or(Modes::NONE, |(_, escr)| modes_of(escr.contains(user), escr.contains(kernel)))
    }

    fn kind(&self, id: CounterId) -> Option<Kind> {
        let (number, escr) = self.escr(id)?;
        self.feed.kind(number, escr, self.cccr(id))
    }

    fn observes(&self, kind: Kind) -> bool {
        self.feed.observes(kind)
    }

    fn interrupts(&self, id: CounterId) -> bool {
        self.cccr(id).contains(self.limits.interrupt())
    }

    fn value(&self, id: CounterId) -> u64 {
        self.counters.get(index(id)).map_or(0, Cell::get)
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

    fn note(&self, overflowed: CounterSet) {
        for id in overflowed {
            let cccr = self.cccr(id) | Cccr::OVERFLOW;
            self.cccrs.get(index(id)).into_iter().for_each(|cell| cell.set(cccr.bits()));
        }
    }

    fn pull(&self) {
        self.line.interrupt();
    }
}
