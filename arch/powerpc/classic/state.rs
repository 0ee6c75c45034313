//! How a unit is taken over, and given back as it was.

use super::before::Before;
use super::driver::{Classic, counter_register};
use super::spr::{MMCR0, MMCR1, MMCR2};
use crate::arch::powerpc::Spr;
use crate::contract::Registers;

impl<R: Registers<Address = Spr, Index = Spr>> Classic<R> {
    /// Freezes the unit, reads it, and leaves no counter past its overflow.
    pub(super) fn take(&self, before: &Before) {
        before.control.set(self.registers.read(MMCR0));
        self.freeze();
        if self.facts.has_selects() {
            before.selects.set(self.registers.read(MMCR1));
        }
        if self.facts.has_extension() {
            before.extension.set(self.registers.read(MMCR2));
        }
        for counter in self.facts.counters {
            let at = usize::from(counter.number() & 7);
            before.counters[at].set(self.registers.read(counter_register(counter)));
            self.registers.write(counter_register(counter), 0);
        }
    }

    /// Puts a state back: nothing counts or interrupts before everything is in place. A value past
    /// the overflow raises no false exception while PMXE is clear ("MPC7400 RISC Microprocessor
    /// User's Manual", "Performance Monitor Counter Registers (PMC1-PMC4)").
    pub(super) fn put_back(&self, before: &Before) {
        self.freeze();
        for counter in self.facts.counters {
            let at = usize::from(counter.number() & 7);
            self.registers.write(counter_register(counter), before.counters[at].get());
        }
        if self.facts.has_extension() {
            self.registers.write(MMCR2, before.extension.get());
        }
        if self.facts.has_selects() {
            self.registers.write(MMCR1, before.selects.get());
        }
        self.registers.write(MMCR0, before.control.get());
    }
}
