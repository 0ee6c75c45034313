//! How a unit is taken over, and given back as it was.

use super::before::Before;
use super::driver::Embedded;
use super::registers::{Global, Local};
use crate::arch::powerpc::Pmr;
use crate::contract::Registers;

impl<R: Registers<Address = Pmr, Index = Pmr>> Embedded<R> {
    /// Freezes the unit, reads it, and leaves no counter past its overflow.
    pub(super) fn take(&self, before: &Before) {
        before.global.set(self.registers.read(Pmr::GLOBAL));
        self.freeze();
        for counter in self.facts.counters {
            let at = usize::from(counter.number() & 3);
            before.locals[at].set(self.registers.read(Pmr::local_of(counter)));
            before.counters[at].set(self.registers.read(Pmr::counter_of(counter)));
            if self.facts.has_threshold() {
                before.thresholds[at].set(self.registers.read(Pmr::threshold_of(counter)));
            }
            self.registers.write(Pmr::local_of(counter), Local::FREEZE.bits().into());
            self.registers.write(Pmr::counter_of(counter), 0);
        }
    }

    /// Puts a state back: nothing counts or interrupts before everything is in place.
    pub(super) fn put_back(&self, before: &Before) {
        self.freeze();
        for counter in self.facts.counters {
            let at = usize::from(counter.number() & 3);
            self.registers.write(Pmr::counter_of(counter), before.counters[at].get());
            if self.facts.has_threshold() {
                self.registers.write(Pmr::threshold_of(counter), before.thresholds[at].get());
            }
            self.registers.write(Pmr::local_of(counter), before.locals[at].get());
        }
        self.registers.write(Pmr::GLOBAL, before.global.get());
    }

    fn freeze(&self) {
        self.registers.write(Pmr::GLOBAL, Global::FREEZE.bits().into());
    }
}
