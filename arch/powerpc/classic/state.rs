//! Saves the unit's state when it is claimed, and restores it.

use super::driver::{Classic, counter_register};
use super::saved::Saved;
use crate::arch::powerpc::Spr;
use crate::contract::Registers;

impl<R: Registers<Address = Spr, Index = Spr>> Classic<R> {
    /// Halts the unit, saves its registers, and clears them: no counter is past its overflow, and the system cannot count
    /// or interrupt (MMCR2).
    pub(super) fn save_registers(&self, saved: &Saved) {
        saved.control.set(self.registers.read(Spr::CLASSIC_MMCR0));
        self.freeze();
        if self.capabilities.has_selects() {
            saved.selects.set(self.registers.read(Spr::CLASSIC_MMCR1));
        }
        if self.capabilities.has_extension() {
            saved.extension.set(self.registers.read(Spr::CLASSIC_MMCR2));
            self.registers.write(Spr::CLASSIC_MMCR2, 0);
        }
        for counter in self.capabilities.counters {
            let at = usize::from(counter.number() & 7);
            saved.counters[at].set(self.registers.read(counter_register(counter)));
            self.registers.write(counter_register(counter), 0);
        }
    }

    /// Restores the saved state. Nothing counts or interrupts until everything is restored: a value past the overflow
    /// raises no exception while PMXE is clear ("MPC7400 RISC Microprocessor User's Manual", "Performance Monitor
    /// Counter Registers (PMC1-PMC4)").
    pub(super) fn restore_registers(&self, saved: &Saved) {
        self.freeze();
        for counter in self.capabilities.counters {
            let at = usize::from(counter.number() & 7);
            self.registers.write(counter_register(counter), saved.counters[at].get());
        }
        if self.capabilities.has_extension() {
            self.registers.write(Spr::CLASSIC_MMCR2, saved.extension.get());
        }
        if self.capabilities.has_selects() {
            self.registers.write(Spr::CLASSIC_MMCR1, saved.selects.get());
        }
        self.registers.write(Spr::CLASSIC_MMCR0, saved.control.get());
    }
}
