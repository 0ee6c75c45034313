//! How a unit is taken over, woken, and given back as it was.

use super::driver::Book3s;
use super::program::Image;
use super::registers::Control;
use super::saved::Saved;
use super::spr;
use super::words::Words;
use crate::arch::powerpc::Spr;
use crate::contract::Registers;
use crate::event::CounterId;
use crate::sync::Word;

impl<R: Registers<Address = Spr, Index = Spr>> Book3s<R> {
    /// Halts the unit, keeps what it held, and leaves no counter negative.
    pub(super) fn take_over(&self, into: &Saved) {
        let mmcr0 = self.registers.read(spr::MMCR0);
        self.halt();
        into.controls.set(Words {
            mmcr0,
            mmcr1: self.registers.read(spr::MMCR1),
            mmcr2: if self.facts.has_freezes() { self.registers.read(spr::MMCR2) } else { 0 },
            mmcr3: if self.facts.has_sources() { self.registers.read(spr::MMCR3) } else { 0 },
            mmcra: self.registers.read(spr::MMCRA),
        });
        for (counter, word) in self.counters(into) {
            word.set(self.registers.read_counter(spr::pmc(counter)));
        }
        self.clear_counters();
    }

    /// Writes everything, whatever the registers hold. Leaves the unit halted and no counter negative.
    pub(super) fn write_all(&self, image: &Image) {
        image.running.set(0);
        image.alerted.set(0);
        self.freeze(image);
        self.clear_counters();
        self.write_selectors(image.written.get());
    }

    /// Puts a state back: nothing counts, and nothing alerts, before everything is in place.
    pub(super) fn put_back(&self, from: &Saved) {
        self.halt();
        for (counter, word) in self.counters(from) {
            self.write_counter(counter, word.get());
        }
        let controls = from.controls.get();
        self.write_selectors(controls);
        self.registers.write(spr::MMCR0, controls.mmcr0);
    }

    /// Stops all counters, with nothing lent.
    fn halt(&self) {
        self.registers.write(spr::MMCR0, (Control::FREEZE | self.access).bits());
    }

    /// Returns every counter that has a register, and the word in which it is kept.
    fn counters<'a>(&self, saved: &'a Saved) -> impl Iterator<Item = (CounterId, &'a Word)> + use<'a, R> {
        self.facts.counters.into_iter().zip(&saved.counters)
    }

    fn clear_counters(&self) {
        self.facts.counters.into_iter().for_each(|counter| self.write_counter(counter, 0));
    }

    /// Writes all control registers except MMCR0. The unit is halted.
    fn write_selectors(&self, words: Words) {
        self.registers.write(spr::MMCRA, words.mmcra);
        if self.facts.has_sources() {
            self.registers.write(spr::MMCR3, words.mmcr3);
        }
        if self.facts.has_freezes() {
            self.registers.write(spr::MMCR2, words.mmcr2);
        }
        self.registers.write(spr::MMCR1, words.mmcr1);
    }
}
