//! How a unit is taken over and given back, and how it is programmed again after a sleep.

use super::auxiliary::Beside;
use super::driver::Intel;
use super::nehalem;
use super::program::Image;
use super::registers::GlobalStatus;
use super::saved::Saved;
use crate::arch::x86::all::{Bank, keep_all, stop_all, write_all};
use crate::arch::x86::{Generation, Index, Line, Msr, Window};
use crate::contract::{Counters, Registers};
use crate::event::{CounterSet, Remaining};

impl<R, L, G> Intel<R, L, G>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
    G: Generation,
{
    /// Keeps what the unit held, halts it, and takes the line over.
    pub(super) fn take(&self, into: &Saved) {
        if self.generation.has_global() {
            into.global_control.set(self.registers.read(Msr::GLOBAL_CONTROL));
        }
        keep_all(&self.registers, self.facts.general, Msr::SELECTS, into.selects.words());
        self.halt();
        if !self.facts.fixed.is_empty() {
            into.fixed_control.set(self.registers.read(Msr::FIXED_CONTROL));
        }
        keep_all(&self.registers, self.facts.general, self.general(), into.general.words());
        keep_all(&self.registers, self.fixed(), Msr::FIXED_BANK, into.fixed.words());
        into.status.set(self.take_status());
        for beside in self.besides() {
            into.beside(beside).set(self.registers.read(beside.register()));
        }
        into.line.set(self.line.install());
    }

    /// Programs the unit from its image, whatever it holds, and takes the line over.
    pub(super) fn program(&self, image: &Image) {
        self.halt();
        if self.wakes {
            nehalem::wake(&self.registers, &self.facts);
        }
        image.write(&self.registers, &self.facts);
        if !self.generation.has_global() {
            self.preset_all(image);
        }
        self.take_status();
        self.line.install();
    }

    /// Puts back what was kept: nothing counts before everything is in place.
    pub(super) fn put_back(&self, from: &Saved) {
        self.halt();
        self.take_status();
        write_all(&self.registers, self.facts.general, self.general(), from.general.words(), self.reached());
        write_all(&self.registers, self.fixed(), Msr::FIXED_BANK, from.fixed.words(), u64::MAX);
        if !self.facts.fixed.is_empty() {
            self.registers.write(Msr::FIXED_CONTROL, from.fixed_control.get());
        }
        for beside in self.besides() {
            self.registers.write(beside.register(), from.beside(beside).get());
        }
        self.line.restore(from.line.get());
        write_all(&self.registers, self.facts.general, Msr::SELECTS, from.selects.words(), u64::MAX);
        self.put_global_back(from);
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

    fn put_global_back(&self, from: &Saved) {
        // CondChgd can be cleared and not set.
        let status = from.status.get() & !GlobalStatus::CHANGED.bits();
        if self.facts.version >= 4 && status != 0 {
            self.registers.write(Msr::GLOBAL_SET, status);
        }
        if self.generation.has_global() {
            self.registers.write(Msr::GLOBAL_CONTROL, from.global_control.get());
        }
    }

    /// Stops every counter: at once where that can be done, and elsewhere by its selector.
    fn halt(&self) {
        if self.generation.has_global() {
            self.registers.write(Msr::GLOBAL_CONTROL, 0);
        } else {
            stop_all(&self.registers, self.facts.general, Msr::SELECTS);
        }
    }

    /// Lets every counter wait as long as it can. Where there is no status, it looks as if it had overflowed otherwise.
    fn preset_all(&self, image: &Image) {
        for counter in self.facts.general {
            self.preset(image, counter, Remaining::events(u64::MAX));
        }
    }

    /// Reads the status and clears what is set in it, whatever it means.
    #[inline(never)]
    fn take_status(&self) -> u64 {
        if !self.generation.has_global() {
            return 0;
        }
        let status = self.registers.read(Msr::GLOBAL_STATUS);
        if status != 0 {
            self.registers.write(Msr::GLOBAL_RESET, status);
        }
        status
    }

    /// The auxiliary registers that the unit has.
    fn besides(&self) -> impl Iterator<Item = Beside> {
        let exists = |beside: &Beside| self.facts.auxiliaries.iter().any(|auxiliary| auxiliary.beside == *beside);
        Beside::ALL.into_iter().filter(exists)
    }

    /// The fixed counters, from number 0.
    fn fixed(&self) -> CounterSet {
        CounterSet::from_bits(self.facts.fixed.bits() >> 32)
    }
}
