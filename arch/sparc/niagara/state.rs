//! Saves the unit's state when it is claimed, and restores it.

use super::driver::Niagara;
use super::registers::Pcr;
use crate::arch::sparc::saved::Saved;
use crate::arch::sparc::{Asr, Half};
use crate::contract::Registers;
use crate::event::{CounterSet, Remaining};

impl<R: Registers<Address = Asr, Index = Half>> Niagara<R> {
    /// Halts the unit, saves its registers, and clears it.
    pub(super) fn save_registers(&self, saved: &Saved) {
        saved.control.set(self.control().bits());
        self.write_control(Pcr::PRIVILEGED | self.holds());
        saved.counters.set(self.registers.read(Asr::Pic));
        self.write_control(Pcr::PRIVILEGED);
        let start = self.start(Remaining::events(Half::WIDTH.longest()));
        let pic = Half::ALL.into_iter().fold(0, |pic, half| half.replaced(pic, start));
        self.registers.write(Asr::Pic, pic);
        self.kept.set_counting(CounterSet::EMPTY);
        Half::ALL.into_iter().for_each(|half| self.kept.set(half, start));
    }

    /// Restores the saved state. Nothing counts until %pcr is written last, with the overflow bits that it had.
    pub(super) fn restore_registers(&self, saved: &Saved) {
        self.write_control(Pcr::PRIVILEGED | self.holds());
        self.registers.write(Asr::Pic, saved.counters.get());
        self.write_control(Pcr::from_bits_retain(saved.control.get()));
    }

    /// Lets user programs read %pic, or keeps them from it.
    pub(super) fn write_privacy(&self, privacy: u64) {
        let before = self.registers.mask();
        let control = self.control().difference(Pcr::PRIVILEGED);
        self.registers.write(Asr::Pcr, (control | self.holds()).bits() | privacy);
        self.registers.unmask(before);
    }
}
