//! How a unit is taken over, and given back as it was.

use super::before::{Before, COUNTERS};
use super::driver::Amd;
use super::registers::{Select, Status};
use crate::arch::x86::all::{read_all, write_all};
use crate::arch::x86::{Index, Line, Msr};
use crate::counter::CounterSet;
use crate::registers::Registers;

/// The counters that can be the upper half of the one before.
const SECONDS: CounterSet = CounterSet::from_bits(0xAAAA_AAAA_AAAA_AAAA);

impl<R, L> Amd<R, L>
where
    R: Registers<Address = Msr, Index = Index>,
    L: Line,
{
    /// Halts the unit, reads it, clears its status, and takes the line over.
    pub(super) fn take(&self, before: &Before) {
        let (selects, control) = self.halt();
        before.selects.keep(selects);
        before.control.set(control);
        before.counters.keep(read_all(&self.registers, self.facts.counters, |number| self.counter(number)));
        before.status.set(self.take_status());
        before.line.set(self.line.install());
    }

    /// Puts a state back: nothing counts before everything is in place. Of a merged pair the second
    /// counter's selector comes first (PPR for family 17h, "Large Increment per Cycle Events").
    pub(super) fn put_back(&self, before: &Before) {
        self.halt();
        self.take_status();
        write_all(&self.registers, self.facts.counters, |number| self.counter(number), &before.counters.values());
        self.line.restore(before.line.get());
        let all = self.facts.counters;
        for counters in [all.and(SECONDS), all.without(SECONDS)] {
            write_all(&self.registers, counters, |number| self.select(number), &before.selects.values());
        }
        if self.facts.has_global() {
            self.registers.write(Msr::CORE_SET, before.status.get());
            self.registers.write(Msr::CORE_CONTROL, before.control.get());
        }
    }

    fn select(&self, number: u8) -> Option<Msr> {
        Msr::core_select(self.facts.block, number)
    }

    fn counter(&self, number: u8) -> Option<Msr> {
        Msr::core_counter(self.facts.block, number)
    }

    /// Stops every counter; returns the selectors and PerfCntrGlobalCtl as they were.
    fn halt(&self) -> ([u64; COUNTERS], u64) {
        let mut control = 0;
        if self.facts.has_global() {
            control = self.registers.read(Msr::CORE_CONTROL);
            self.registers.write(Msr::CORE_CONTROL, 0);
        }
        let selects = read_all(&self.registers, self.facts.counters, |number| self.select(number));
        let stopped = selects.map(|select| select & !Select::ENABLE.bits());
        write_all(&self.registers, self.facts.counters, |number| self.select(number), &stopped);
        (selects, control)
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
