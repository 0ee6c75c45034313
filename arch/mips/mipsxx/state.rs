//! Saves the unit's state when it is claimed, and restores it.

use super::driver::Mipsxx;
use super::saved::Saved;
use crate::arch::mips::Cp0;
use crate::contract::Registers;

impl<R: Registers<Address = Cp0, Index = Cp0>> Mipsxx<R> {
    /// Stops every counter, saves its registers, and clears them.
    pub(super) fn save_registers(&self, saved: &Saved) {
        for counter in self.capabilities.counters {
            let at = usize::from(counter.number() & 3);
            saved.controls[at].set(self.registers.read(Cp0::control_of(counter)));
            self.stop(counter);
            saved.counters[at].set(self.registers.read(self.counter_at(counter)));
            self.registers.write(self.counter_at(counter), 0);
        }
    }

    /// Restores the saved state. Nothing counts before its value is restored.
    pub(super) fn restore_registers(&self, saved: &Saved) {
        self.capabilities.counters.into_iter().for_each(|counter| self.stop(counter));
        let writable = u64::from(self.capabilities.writable().bits());
        for counter in self.capabilities.counters {
            let at = usize::from(counter.number() & 3);
            self.registers.write(self.counter_at(counter), saved.counters[at].get());
            self.registers.write(Cp0::control_of(counter), saved.controls[at].get() & writable);
        }
    }
}
