//! Saves the unit's state when it is claimed, and restores it.

use super::driver::La64;
use super::saved::Saved;
use crate::arch::loongarch::Register;
use crate::contract::Registers;

impl<R: Registers<Address = Register, Index = Register>> La64<R> {
    /// Stops every counter, saves its registers, and clears them.
    pub(super) fn save_registers(&self, saved: &Saved) {
        for counter in self.capabilities.counters {
            let at = usize::from(counter.number() & 3);
            saved.controls[at].set(self.registers.read(Register::control_of(counter)));
            self.stop(counter);
            saved.counters[at].set(self.registers.read(Register::counter_of(counter)));
            self.registers.write(Register::counter_of(counter), 0);
        }
    }

    /// Restores the saved state. Nothing counts before its value is restored.
    pub(super) fn restore_registers(&self, saved: &Saved) {
        self.capabilities.counters.into_iter().for_each(|counter| self.stop(counter));
        for counter in self.capabilities.counters {
            let at = usize::from(counter.number() & 3);
            self.registers.write(Register::counter_of(counter), saved.counters[at].get());
            self.registers.write(Register::control_of(counter), saved.controls[at].get());
        }
    }
}
