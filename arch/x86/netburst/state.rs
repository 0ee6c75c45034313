//! How a unit is taken over and given back, and how it is programmed again after a sleep.

use super::capabilities::Capabilities;
use super::driver::Netburst;
use super::program::Image;
use super::registers::Cccr;
use super::saved::Saved;
use crate::arch::x86::{Line, Msr, Msrs};
use crate::contract::Counters;
use crate::event::Remaining;
use crate::sync::Cell;

impl<R: Msrs, L: Line> Netburst<R, L> {
    /// Keeps what the unit held, halts it, and takes the line over.
    pub(super) fn save_registers(&self, into: &Saved) {
        self.keep(self.cccrs(), &into.cccrs);
        self.halt();
        self.keep(self.counters(), &into.counters);
        self.keep(self.escrs(), &into.escrs);
        self.keep(self.replays(), &into.replay);
        into.line.set(self.line.install());
    }

    /// Programs the halted unit from its image. No counter looks as if it had overflowed.
    pub(super) fn program(&self, image: &Image) {
        image.write(&self.registers, &self.capabilities);
        for counter in self.ours {
            self.preset(image, counter, Remaining::events(u64::MAX));
        }
    }

    /// Puts back what was kept: nothing counts before everything is in place. An overflow that was pending is not raised
    /// again: it is put back only where its counter neither counts nor interrupts.
    pub(super) fn restore_registers(&self, from: &Saved) {
        self.halt();
        for _ in 0..Capabilities::WRITES {
            self.write(self.counters(), &from.counters, u64::MAX);
        }
        self.write(self.replays(), &from.replay, u64::MAX);
        self.write(self.escrs(), &from.escrs, u64::MAX);
        self.line.restore(from.line.get());
        for (register, word) in self.cccrs().zip(&from.cccrs) {
            let kept = Cccr::from_bits_retain(word.get());
            let acts = kept.intersects(Cccr::ENABLE | Cccr::INTERRUPT_T0 | Cccr::INTERRUPT_T1);
            let lost = if acts { Cccr::OVERFLOW } else { Cccr::empty() };
            self.registers.write(register, kept.difference(lost).bits());
        }
    }

    /// Stops every counter. Nothing else of its CCCR changes, except that its overflow is cleared.
    fn halt(&self) {
        for register in self.cccrs() {
            let running = Cccr::from_bits_retain(self.registers.read(register));
            self.registers.write(register, running.difference(Cccr::ENABLE | Cccr::OVERFLOW).bits());
        }
    }

    fn cccrs(&self) -> impl Iterator<Item = Msr> {
        self.ours.into_iter().map(Cccr::msr)
    }

    fn counters(&self) -> impl Iterator<Item = Msr> {
        self.ours.into_iter().map(Cccr::counter_msr)
    }

    fn escrs(&self) -> impl Iterator<Item = Msr> {
        self.capabilities.escrs().map(|escr| escr.msr())
    }

    fn replays(&self) -> impl Iterator<Item = Msr> {
        [Msr::PEBS_MATRIX_VERT, Msr::PEBS_ENABLE].into_iter().filter(|_| self.capabilities.replay)
    }

    fn keep(&self, from: impl Iterator<Item = Msr>, kept: &[Cell]) {
        for (register, word) in from.zip(kept) {
            word.set(self.registers.read(register));
        }
    }

    fn write(&self, to: impl Iterator<Item = Msr>, kept: &[Cell], mask: u64) {
        for (register, word) in to.zip(kept) {
            self.registers.write(register, word.get() & mask);
        }
    }
}
