//! Which of the counters count, what they count, and how far: what [`Counting`] is built on.

use super::feed::kind;
use super::{Cccr, Device, index};
use crate::arch::x86::device::{Counter, Counting, modes_of};
use crate::event::{CounterId, CounterSet, Mode, Modes};
use crate::virt::{Decode, Selected, Source, Table, Trigger};

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        CounterSet::first(super::COUNTERS)
    }

    fn decode(&self, id: CounterId) -> Selected {
        let (cccr, escr) = (self.cccr(id), self.escr(id));
        let active = escr.filter(|_| cccr.contains(Cccr::ENABLE) && self.limits.is_active(cccr));
        let [user, kernel] = self.limits.modes();
        Selected {
            modes: active.map_or(Modes::NONE, |(_, escr)| modes_of(escr.contains(user), escr.contains(kernel))),
            source: Source::of_known(escr.and_then(|(number, escr)| kind(number, escr, cccr))),
            interrupts: cccr.contains(self.limits.interrupt()),
        }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        self.existing()
    }

    fn raw(&self, id: CounterId) -> u64 {
        let escr = self.escr(id).map_or(0, |(_, escr)| escr.bits());
        escr << 32 | self.cccr(id).bits()
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
