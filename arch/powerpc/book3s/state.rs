//! Saves the unit's state when it is claimed, sets it up again after a sleep, and restores the state.

use super::driver::Book3s;
use super::program::Image;
use super::registers::Mmcr0;
use super::saved::Saved;
use super::words::Held;
use crate::arch::powerpc::Spr;
use crate::contract::Registers;

impl<R: Registers<Address = Spr, Index = Spr>> Book3s<R> {
    /// Halts the unit, saves its state, and leaves no counter negative.
    pub(super) fn save_registers(&self, into: &Saved) {
        into.controls.mmcr0.set(self.registers.read(Spr::MMCR0));
        self.halt();
        for (at, word) in self.capabilities.selectors().iter().zip(into.controls.selectors()) {
            word.set(self.registers.read(*at));
        }
        for (counter, word) in self.capabilities.counters.into_iter().zip(&into.counters) {
            word.set(self.registers.read_counter(Spr::pmc(counter)));
        }
        self.capabilities.counters.into_iter().for_each(|counter| self.write_counter(counter, 0));
    }

    /// Writes the selectors of the halted unit from the image. No counter runs, and no selection that was begun goes on.
    pub(super) fn write_all(&self, image: &Image) {
        image.selected.set(0);
        image.running.set(0);
        image.is_frozen.set(1);
        image.alerted.set(0);
        self.write_selectors(&image.written);
    }

    /// Restores a state. Nothing counts or alerts until everything is restored.
    pub(super) fn restore_registers(&self, from: &Saved) {
        self.halt();
        for (counter, word) in self.capabilities.counters.into_iter().zip(&from.counters) {
            self.write_counter(counter, word.get());
        }
        self.write_selectors(&from.controls);
        self.registers.write(Spr::MMCR0, from.controls.mmcr0.get());
    }

    /// Stops all counters, with nothing lent.
    fn halt(&self) {
        self.registers.write(Spr::MMCR0, (Mmcr0::FREEZE | self.access).bits());
    }

    /// Writes all control registers except MMCR0. The unit is halted.
    fn write_selectors(&self, controls: &Held) {
        for (at, word) in self.capabilities.selectors().iter().zip(controls.selectors()) {
            self.registers.write(*at, word.get());
        }
    }
}
