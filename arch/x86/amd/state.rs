//! How a unit is taken over and given back, and how it is programmed again after a sleep.

use super::driver::Amd;
use super::program::{Image, seconds_first};
use super::registers::Status;
use super::saved::Saved;
use crate::arch::x86::all::{Bank, keep_all, stop_all, write_all};
use crate::arch::x86::{Generation, Index, Line, Msr};
use crate::contract::{Counters, Registers};
use crate::event::{CounterSet, Remaining};

impl<R, L, G> Amd<R, L, G>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
    G: Generation,
{
    /// Keeps what the unit held, halts it, and takes the line over.
    pub(super) fn take(&self, into: &Saved) {
        if self.generation.has_global() {
            into.control.set(self.registers.read(Msr::CORE_CONTROL));
        }
        keep_all(&self.registers, self.facts.counters, self.selects(), into.selects.words());
        self.halt();
        keep_all(&self.registers, self.facts.counters, self.counters(), into.counters.words());
        into.status.set(self.take_status());
        into.line.set(self.line.install());
    }

    /// Programs the unit from its image, whatever it holds, and takes the line over.
    pub(super) fn program(&self, image: &Image) {
        self.halt();
        image.write(&self.registers, &self.facts);
        if !self.generation.has_global() {
            self.preset_all(image, image.without_seconds(self.facts.counters));
        }
        self.take_status();
        self.line.install();
    }

    /// Puts back what was kept: nothing counts before everything is in place.
    pub(super) fn put_back(&self, from: &Saved) {
        self.halt();
        self.take_status();
        write_all(&self.registers, self.facts.counters, self.counters(), from.counters.words(), u64::MAX);
        self.line.restore(from.line.get());
        for counters in seconds_first(self.facts.counters) {
            write_all(&self.registers, counters, self.selects(), from.selects.words(), u64::MAX);
        }
        if self.generation.has_global() {
            self.registers.write(Msr::CORE_SET, from.status.get());
            self.registers.write(Msr::CORE_CONTROL, from.control.get());
        }
    }

    fn selects(&self) -> Bank {
        Bank { first: self.facts.block.first_select(), stride: self.facts.block.stride() }
    }

    fn counters(&self) -> Bank {
        Bank { first: self.facts.block.first_counter(), stride: self.facts.block.stride() }
    }

    /// Stops every counter, and of a pair the first one first. No selector is enabled then, and no two counters are a
    /// pair.
    fn halt(&self) {
        if self.generation.has_global() {
            self.registers.write(Msr::CORE_CONTROL, 0);
        }
        for counters in seconds_first(self.facts.counters).into_iter().rev() {
            stop_all(&self.registers, counters, self.selects());
        }
    }

    /// Lets these counters wait as long as they can. Where there is no status, they look as if they had overflowed
    /// otherwise.
    pub(super) fn preset_all(&self, image: &Image, counters: CounterSet) {
        for counter in counters {
            self.preset(image, counter, Remaining::events(u64::MAX));
        }
    }

    /// Reads which counters have overflowed, and whether that froze them, and clears that.
    fn take_status(&self) -> u64 {
        if !self.generation.has_global() {
            return 0;
        }
        let ours = Status::OVERFLOWS.bits() | self.frozen;
        let status = self.registers.read(Msr::CORE_STATUS) & ours;
        self.registers.write(Msr::CORE_RESET, status);
        status
    }
}
