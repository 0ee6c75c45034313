//! How a unit is taken over, and given back as it was.

use core::array;

use super::auxiliary::Beside;
use super::before::{Before, GENERAL};
use super::driver::Intel;
use super::registers::GlobalStatus;
use crate::arch::x86::all::{read_all, write_all};
use crate::arch::x86::{Index, Line, Msr, Window};
use crate::counter::CounterSet;
use crate::registers::Registers;

impl<R, L> Intel<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    /// Halts the unit, reads it, clears its status, and takes the line over.
    pub(super) fn take(&self, before: &Before) {
        let (selects, global_control) = self.halt();
        before.selects.keep(selects);
        before.global_control.set(global_control);
        let counter = |number| Msr::counter(self.facts.window, number);
        before.general.keep(read_all(&self.registers, self.facts.general, counter));
        before.fixed.keep(read_all(&self.registers, self.fixed(), Msr::fixed));
        before.fixed_control.set(self.read_fixed_control());
        before.status.set(self.take_status());
        let beside = |at| self.besides().nth(at).flatten().map_or(0, |msr| self.registers.read(msr));
        before.besides.keep(array::from_fn(beside));
        before.line.set(self.line.install());
    }

    /// Puts a state back: nothing counts before everything is in place.
    pub(super) fn put_back(&self, before: &Before) {
        self.halt();
        self.take_status();
        let reached = before.general.values().map(|value| value & self.reached());
        write_all(&self.registers, self.facts.general, |number| Msr::counter(self.facts.window, number), &reached);
        write_all(&self.registers, self.fixed(), Msr::fixed, &before.fixed.values());
        if !self.facts.fixed.is_empty() {
            self.registers.write(Msr::FIXED_CONTROL, before.fixed_control.get());
        }
        for (msr, value) in self.besides().zip(before.besides.values()) {
            if let Some(msr) = msr {
                self.registers.write(msr, value);
            }
        }
        self.line.restore(before.line.get());
        write_all(&self.registers, self.facts.general, Msr::select, &before.selects.values());
        self.put_global_back(before);
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

    /// Stops every counter; returns the selectors and IA32_PERF_GLOBAL_CTRL as they were.
    fn halt(&self) -> ([u64; GENERAL], u64) {
        if self.facts.has_global() {
            let control = self.registers.read(Msr::GLOBAL_CONTROL);
            self.registers.write(Msr::GLOBAL_CONTROL, 0);
            (read_all(&self.registers, self.facts.general, Msr::select), control)
        } else {
            let selects = read_all(&self.registers, self.facts.general, Msr::select);
            write_all(&self.registers, self.facts.general, Msr::select, &[0; GENERAL]);
            (selects, 0)
        }
    }

    /// Reads the status and clears what is set in it, whatever it means.
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

    /// The registers beside the counters, in their own order; `None` where there is none.
    fn besides(&self) -> impl Iterator<Item = Option<Msr>> {
        let has = |beside: Beside| self.facts.auxiliaries.iter().any(|auxiliary| auxiliary.beside == beside);
        Beside::ALL.into_iter().map(move |beside| has(beside).then(|| beside.register()))
    }
}
