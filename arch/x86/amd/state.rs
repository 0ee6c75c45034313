//! How a unit is taken over and given back, and how it is programmed again after a sleep.

use super::driver::Amd;
use super::program::{Image, seconds_first};
use super::registers::Status;
use super::saved::Saved;
use crate::arch::x86::all::{Bank, keep_all, stop_all, write_all};
use crate::arch::x86::{Generation, Line, Msr, Msrs};
use crate::contract::Counters;
use crate::event::{CounterSet, Remaining};

impl<R: Msrs, L: Line, G: Generation> Amd<R, L, G> {
    /// Keeps what the unit held, halts it, and takes the line over.
    pub(super) fn save_registers(&self, into: &Saved) {
        keep_all(&self.registers, &self.controls(), &into.controls);
        self.halt();
        keep_all(&self.registers, &[self.counters()], &into.counters);
        into.status.set(self.take_status());
        into.line.set(self.line.install());
    }

    /// Programs the halted unit from its image.
    pub(super) fn program(&self, image: &Image) {
        image.write(&self.registers, &self.capabilities);
        if !self.generation.has_global() {
            self.preset_all(image, image.without_seconds(self.capabilities.counters));
        }
    }

    /// Puts back what was kept: nothing counts before everything is in place.
    pub(super) fn restore_registers(&self, from: &Saved) {
        self.halt();
        self.take_status();
        write_all(&self.registers, &[self.counters()], &from.counters);
        self.line.restore(from.line.get());
        if self.generation.has_global() {
            self.registers.write(Msr::CORE_SET, from.status.get());
        }
        write_all(&self.registers, &self.controls(), &from.controls);
    }

    /// What makes counters count. Of a pair the second counter's selector comes first.
    fn controls(&self) -> [Bank; 3] {
        let [seconds, firsts] = seconds_first(self.capabilities.counters).map(|counters| self.selects(counters));
        [seconds, firsts, Bank::one(Msr::CORE_CONTROL, self.generation.has_global())]
    }

    fn selects(&self, counters: CounterSet) -> Bank {
        Bank::new(self.capabilities.block.first_select(), self.capabilities.block.stride(), counters)
    }

    fn counters(&self) -> Bank {
        Bank::new(self.capabilities.block.first_counter(), self.capabilities.block.stride(), self.capabilities.counters)
    }

    /// Stops every counter, and of a pair the first one first. No selector is enabled then, and no two counters are a
    /// pair.
    fn halt(&self) {
        if self.generation.has_global() {
            self.registers.write(Msr::CORE_CONTROL, 0);
        }
        for counters in seconds_first(self.capabilities.counters).into_iter().rev() {
            stop_all(&self.registers, &self.selects(counters));
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
