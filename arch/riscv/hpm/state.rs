//! Saves the unit's state when it is claimed, sets it up again after a sleep, and restores the state.

use super::counters::{from_register, to_register};
use super::driver::Hpm;
use super::interrupt::Interrupt;
use super::program::Image;
use super::registers::MASKS;
use super::saved::Saved;
use crate::arch::riscv::Csr;
use crate::contract::Registers;
use crate::event::{CounterId, CounterSet};

impl<R: Registers<Address = Csr, Index = Csr>> Hpm<R> {
    /// Stops every counter, saves its registers, and clears its selection. A reload clears the counters.
    pub(super) fn save_registers(&self, saved: &Saved) {
        if self.capabilities.can_inhibit() {
            saved.inhibit.set(self.registers.read(self.capabilities.privilege.inhibit()));
            self.inhibit_all();
        }
        for counter in self.capabilities.counters {
            let at = usize::from(counter.number() & 31);
            if self.has_select(counter) {
                saved.selects[at].set(self.capabilities.select(counter).read(&self.registers));
                self.capabilities.select(counter).write(&self.registers, 0);
            }
            saved.counters[at].set(self.capabilities.counter(counter).read(&self.registers));
        }
        if self.capabilities.masks() {
            saved.masks.iter().zip(MASKS).for_each(|(saved, (mask, _))| saved.set(self.registers.read(mask)));
        }
        self.save_line(saved);
        if self.capabilities.can_lend() {
            saved.readable.set(self.registers.read(self.capabilities.privilege.readable()));
        }
    }

    fn save_line(&self, saved: &Saved) {
        let (privilege, interrupt) = (self.capabilities.privilege, self.capabilities.interrupt());
        let pending = match interrupt {
            Interrupt::None => return,
            Interrupt::Sscofpmf => self.registers.read(privilege.pending()) & interrupt.bit(),
            Interrupt::Thead => self.registers.read(Csr::MCOUNTEROF),
            Interrupt::Andes => 0,
        };
        saved.pending.set(pending);
        if let Some(own) = interrupt.own() {
            saved.interrupting.set(self.registers.read(own.interrupting));
        }
        saved.enable.set(self.registers.read(privilege.enable()) & interrupt.bit());
    }

    /// Enables the interrupt, of which none is pending, and lets no lower mode read a counter.
    fn set_up_line(&self) {
        let interrupt = self.capabilities.interrupt();
        if interrupt == Interrupt::Sscofpmf {
            self.withdraw(interrupt);
        }
        if let Some(own) = interrupt.own() {
            self.registers.write(own.overflowed, 0);
            self.registers.write(own.interrupting, to_register(self.capabilities.interrupting()));
        }
        if interrupt != Interrupt::None {
            self.registers.write(self.capabilities.privilege.enable().setting(), interrupt.bit());
        }
        self.lend_only(CounterSet::EMPTY);
    }

    /// Clears this interrupt's pending bit.
    #[inline(always)]
    pub(super) fn withdraw(&self, interrupt: Interrupt) {
        self.registers.write(self.capabilities.privilege.pending().clearing(), interrupt.bit());
    }

    /// Lets the mode below read these counters, and none of the others.
    pub(super) fn lend_only(&self, counters: CounterSet) {
        if !self.capabilities.can_lend() {
            return;
        }
        let (at, own) = (self.capabilities.privilege.readable(), self.capabilities.counters);
        self.registers.write(at.clearing(), to_register(own.without(counters)));
        if !counters.is_empty() {
            self.registers.write(at.setting(), to_register(counters.and(own)));
        }
    }

    /// Writes the selections of the stopped counters from the image, unless having none is what stops them. No counter runs.
    pub(super) fn reload_from(&self, image: &Image) {
        for counter in self.capabilities.counters {
            if self.capabilities.can_inhibit() {
                self.write_select(counter, image.selection(counter));
            }
            self.capabilities.counter(counter).write(&self.registers, 0);
        }
        image.set_running(CounterSet::EMPTY);
        self.set_up_line();
    }

    /// Restores the saved state. Nothing counts before its value is restored.
    pub(super) fn restore_registers(&self, saved: &Saved) {
        self.inhibit_all();
        for counter in self.capabilities.counters {
            let at = usize::from(counter.number() & 31);
            self.stop_unless_inhibited(counter);
            self.capabilities.counter(counter).write(&self.registers, saved.counters[at].get());
            if self.has_select(counter) {
                self.capabilities.select(counter).write(&self.registers, saved.selects[at].get());
            }
        }
        if self.capabilities.masks() {
            saved.masks.iter().zip(MASKS).for_each(|(saved, (mask, _))| self.registers.write(mask, saved.get()));
        }
        self.restore_line(saved);
        if self.capabilities.can_inhibit() {
            self.registers.write(self.capabilities.privilege.inhibit(), saved.inhibit.get());
        }
    }

    fn restore_line(&self, saved: &Saved) {
        if self.capabilities.can_lend() {
            let readable = from_register(saved.readable.get());
            self.lend_only(readable.and(self.capabilities.counters));
        }
        let (privilege, interrupt) = (self.capabilities.privilege, self.capabilities.interrupt());
        match interrupt {
            Interrupt::None => return,
            Interrupt::Sscofpmf => {
                self.withdraw(interrupt);
                if saved.pending.get() != 0 {
                    self.registers.write(privilege.pending().setting(), interrupt.bit());
                }
            }
            Interrupt::Thead => {
                self.registers.write(Csr::MCOUNTERINTEN, saved.interrupting.get());
                self.registers.write(Csr::MCOUNTEROF, saved.pending.get());
            }
            // No write sets a bit of mcounterovf: an overflow of before is lost.
            Interrupt::Andes => self.registers.write(Csr::MCOUNTERINTEN_OF_ANDES, saved.interrupting.get()),
        }
        if saved.enable.get() == 0 {
            self.registers.write(privilege.enable().clearing(), interrupt.bit());
        }
    }

    /// Stops every counter, where a register does.
    fn inhibit_all(&self) {
        if self.capabilities.can_inhibit() {
            let all = to_register(self.capabilities.counters);
            self.registers.write(self.capabilities.privilege.inhibit(), all);
        }
    }

    fn stop_unless_inhibited(&self, counter: CounterId) {
        if !self.capabilities.can_inhibit() {
            self.capabilities.select(counter).write(&self.registers, 0);
        }
    }
}
