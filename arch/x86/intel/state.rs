//! How a unit is taken over, and given back as it was.

use super::auxiliary::Auxiliary;
use super::before::Before;
use super::driver::Intel;
use super::registers::GlobalStatus;
use crate::arch::x86::all::{Bank, keep_all, write_all};
use crate::arch::x86::{Index, Line, Msr, Window};
use crate::contract::Registers;
use crate::event::CounterSet;

impl<R, L> Intel<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    /// Halts the unit, reads it, clears its status, and takes the line over.
    pub(super) fn take(&self, before: &Before) {
        before.global_control.set(self.halt());
        keep_all(&self.registers, self.facts.general, Msr::SELECTS, before.selects.words());
        self.rest();
        keep_all(&self.registers, self.facts.general, self.general(), before.general.words());
        keep_all(&self.registers, self.fixed(), Msr::FIXED_BANK, before.fixed.words());
        before.fixed_control.set(self.read_fixed_control());
        before.status.set(self.take_status());
        for Auxiliary { beside, .. } in self.facts.auxiliaries {
            before.beside(*beside).set(self.registers.read(beside.register()));
        }
        before.line.set(self.line.install());
    }

    /// Puts a state back: nothing counts before everything is in place.
    pub(super) fn put_back(&self, before: &Before) {
        self.halt();
        self.rest();
        self.take_status();
        write_all(&self.registers, self.facts.general, self.general(), before.general.words(), self.reached());
        write_all(&self.registers, self.fixed(), Msr::FIXED_BANK, before.fixed.words(), u64::MAX);
        if !self.facts.fixed.is_empty() {
            self.registers.write(Msr::FIXED_CONTROL, before.fixed_control.get());
        }
        for Auxiliary { beside, .. } in self.facts.auxiliaries {
            self.registers.write(beside.register(), before.beside(*beside).get());
        }
        self.line.restore(before.line.get());
        write_all(&self.registers, self.facts.general, Msr::SELECTS, before.selects.words(), u64::MAX);
        self.put_global_back(before);
    }

    fn general(&self) -> Bank {
        Bank { first: self.facts.window as u32, stride: 1 }
    }

    /// The bits of a general counter that a write reaches.
    fn reached(&self) -> u64 {
        match self.facts.window {
            Window::Narrow => u32::MAX.into(),
            Window::Full => self.facts.general_width.mask(),
        }
    }

    fn put_global_back(&self, before: &Before) {
        // CondChgd can be cleared and not set.
        let status = before.status.get() & !GlobalStatus::CHANGED.bits();
        if self.facts.version >= 4 && status != 0 {
            self.registers.write(Msr::GLOBAL_SET, status);
        }
        if self.facts.has_global() {
            self.registers.write(Msr::GLOBAL_CONTROL, before.global_control.get());
        }
    }

    /// Stops every counter at once, where that can be done; returns IA32_PERF_GLOBAL_CTRL as it was.
    #[inline(never)]
    fn halt(&self) -> u64 {
        if !self.facts.has_global() {
            return 0;
        }
        let control = self.registers.read(Msr::GLOBAL_CONTROL);
        self.registers.write(Msr::GLOBAL_CONTROL, 0);
        control
    }

    /// Stops every counter by its own selector, where there is nothing else.
    #[inline(never)]
    fn rest(&self) {
        if !self.facts.has_global() {
            for counter in self.facts.general {
                self.registers.write(Msr::selector(counter), 0);
            }
        }
    }

    /// Reads the status and clears what is set in it, whatever it means.
    #[inline(never)]
    fn take_status(&self) -> u64 {
        if !self.facts.has_global() {
            return 0;
        }
        let status = self.registers.read(Msr::GLOBAL_STATUS);
        if status != 0 {
            self.registers.write(Msr::GLOBAL_RESET, status);
        }
        status
    }

    fn read_fixed_control(&self) -> u64 {
        if self.facts.fixed.is_empty() { 0 } else { self.registers.read(Msr::FIXED_CONTROL) }
    }

    /// The fixed counters, from number 0.
    fn fixed(&self) -> CounterSet {
        CounterSet::from_bits(self.facts.fixed.bits() >> 32)
    }
}
