//! Saves the unit's state when it is claimed, sets it up again after a sleep, and restores the state.

use super::driver::Embedded;
use super::program::Image;
use super::saved::Saved;
use crate::arch::powerpc::Pmr;
use crate::contract::Registers;

impl<R: Registers<Address = Pmr, Index = Pmr>> Embedded<R> {
    /// Halts the unit, saves its registers, and freezes and clears each counter.
    pub(super) fn save_registers(&self, saved: &Saved) {
        saved.global.set(self.registers.read(Pmr::GLOBAL));
        self.freeze();
        for counter in self.capabilities.counters {
            let at = usize::from(counter.number() & 3);
            saved.locals[at].set(self.registers.read(Pmr::local_of(counter)));
            saved.counters[at].set(self.registers.read(Pmr::counter_of(counter)));
            if self.capabilities.has_threshold() {
                saved.thresholds[at].set(self.registers.read(Pmr::threshold_of(counter)));
            }
            self.freeze_one(counter);
            self.registers.write(Pmr::counter_of(counter), 0);
        }
    }

    /// Writes the thresholds of the frozen counters from the image. No counter runs.
    pub(super) fn reload_from(&self, image: &Image) {
        if self.capabilities.has_threshold() {
            for counter in self.capabilities.counters {
                self.registers.write(Pmr::threshold_of(counter), image.threshold(counter));
            }
        }
        image.rest(self.capabilities.counters);
        image.is_frozen.set(1);
    }

    /// Restores the saved state. Nothing counts or interrupts until everything is restored.
    pub(super) fn restore_registers(&self, saved: &Saved) {
        self.freeze();
        for counter in self.capabilities.counters {
            let at = usize::from(counter.number() & 3);
            self.registers.write(Pmr::counter_of(counter), saved.counters[at].get());
            if self.capabilities.has_threshold() {
                self.registers.write(Pmr::threshold_of(counter), saved.thresholds[at].get());
            }
            self.registers.write(Pmr::local_of(counter), saved.locals[at].get());
        }
        self.registers.write(Pmr::GLOBAL, saved.global.get());
    }
}
