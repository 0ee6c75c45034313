//! How a unit is taken over, and given back as it was.

use super::before::Before;
use super::driver::Amd;
use super::program::select_register;
use super::registers::{Select, Status};
use crate::arch::x86::all::{Bank, keep_all, write_all};
use crate::arch::x86::{Index, Line, Msr};
use crate::contract::Registers;
use crate::event::CounterSet;

/// The counters that can be the upper half of the one before.
const SECONDS: CounterSet = CounterSet::from_bits(0xAAAA_AAAA_AAAA_AAAA);

impl<R, L> Amd<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    /// Halts the unit, reads it, clears its status, and takes the line over.
    pub(super) fn take(&self, before: &Before) {
        before.control.set(self.halt());
        keep_all(&self.registers, self.facts.counters, self.selects(), before.selects.words());
        self.rest();
        keep_all(&self.registers, self.facts.counters, self.counters(), before.counters.words());
        before.status.set(self.take_status());
        before.line.set(self.line.install());
    }

    /// Puts a state back: nothing counts before everything is in place. Of a merged pair the second
    /// counter's selector comes first (PPR for family 17h, "Large Increment per Cycle Events").
    pub(super) fn put_back(&self, before: &Before) {
        self.halt();
        self.rest();
        self.take_status();
        write_all(&self.registers, self.facts.counters, self.counters(), before.counters.words(), u64::MAX);
        self.line.restore(before.line.get());
        let all = self.facts.counters;
        for counters in [all.and(SECONDS), all.without(SECONDS)] {
            write_all(&self.registers, counters, self.selects(), before.selects.words(), u64::MAX);
        }
        if self.facts.has_global() {
            self.registers.write(Msr::CORE_SET, before.status.get());
            self.registers.write(Msr::CORE_CONTROL, before.control.get());
        }
    }

    fn selects(&self) -> Bank {
        Bank { first: self.facts.block.first_select(), stride: self.facts.block.stride() }
    }

    fn counters(&self) -> Bank {
        Bank { first: self.facts.block.first_counter(), stride: self.facts.block.stride() }
    }

    /// Stops every counter at once, where that can be done; returns PerfCntrGlobalCtl as it was.
    fn halt(&self) -> u64 {
        if !self.facts.has_global() {
            return 0;
        }
        let control = self.registers.read(Msr::CORE_CONTROL);
        self.registers.write(Msr::CORE_CONTROL, 0);
        control
    }

    /// Stops every counter by its own selector.
    fn rest(&self) {
        for counter in self.facts.counters {
            let msr = select_register(self.facts.block, counter);
            self.registers.write(msr, self.registers.read(msr) & !Select::ENABLE.bits());
        }
    }

    /// Reads which counters have overflowed, and whether that froze them, and clears that.
    fn take_status(&self) -> u64 {
        if !self.facts.has_global() {
            return 0;
        }
        let ours = Status::OVERFLOWS.bits() | self.frozen;
        let status = self.registers.read(Msr::CORE_STATUS) & ours;
        self.registers.write(Msr::CORE_RESET, status);
        status
    }
}
