//! How a unit is taken over, and given back as it was.

use super::before::Before;
use super::driver::Book3s;
use super::registers::Control;
use super::spr::{self, COUNTERS};
use super::words::Words;
use crate::arch::powerpc::Spr;
use crate::contract::Registers;
use crate::event::CounterId;

/// Every counter that a unit can have.
fn counters() -> impl Iterator<Item = CounterId> {
    (0..COUNTERS).filter_map(CounterId::new)
}

impl<R: Registers<Address = Spr, Index = Spr>> Book3s<R> {
    /// Halts the unit, reads it, and leaves no counter negative.
    pub(super) fn take(&self, before: &Before) {
        let mmcr0 = self.registers.read(spr::MMCR0);
        self.registers.write(spr::MMCR0, Control::FREEZE.bits());
        let words = Words {
            mmcr0,
            mmcr1: self.registers.read(spr::MMCR1),
            mmcr2: if self.facts.has_freezes() { self.registers.read(spr::MMCR2) } else { 0 },
            mmcr3: if self.facts.has_sources() { self.registers.read(spr::MMCR3) } else { 0 },
            mmcra: self.registers.read(spr::MMCRA),
        };
        let mut values = [0; COUNTERS as usize];
        for (value, counter) in values.iter_mut().zip(counters()).filter(|(_, it)| self.facts.counters.contains(*it)) {
            *value = self.registers.read(spr::pmc(counter));
            self.write_counter(counter, 0);
        }
        before.keep(words, values);
    }

    /// Puts a state back: nothing counts, and nothing alerts, before everything is in place.
    pub(super) fn put_back(&self, before: &Before) {
        self.registers.write(spr::MMCR0, Control::FREEZE.bits());
        let (words, values) = (before.words(), before.counters());
        for (value, counter) in values.into_iter().zip(counters()).filter(|(_, it)| self.facts.counters.contains(*it)) {
            self.write_counter(counter, value);
        }
        self.registers.write(spr::MMCRA, words.mmcra);
        if self.facts.has_sources() {
            self.registers.write(spr::MMCR3, words.mmcr3);
        }
        if self.facts.has_freezes() {
            self.registers.write(spr::MMCR2, words.mmcr2);
        }
        self.registers.write(spr::MMCR1, words.mmcr1);
        self.registers.write(spr::MMCR0, words.mmcr0);
    }
}
