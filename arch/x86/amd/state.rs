//! What the unit held before it was claimed, kept to be put back.

use super::driver::Amd;
use super::registers::{Select, Status};
use crate::arch::x86::all::{Kept, read_all, write_all};
use crate::arch::x86::{Block, Index, Line, Msr};
use crate::registers::Registers;
use crate::word::Word;

const COUNTERS: usize = Block::Core.counters() as usize;

/// Every register that the unit has, and the line's entry.
#[derive(Debug)]
pub(super) struct Before {
    line: Word,
    selects: Kept<COUNTERS>,
    counters: Kept<COUNTERS>,
    control: Word,
    status: Word,
}

impl Before {
    pub(super) const fn nothing() -> Self {
        Self {
            line: Word::new(0),
            selects: Kept::nothing(),
            counters: Kept::nothing(),
            control: Word::new(0),
            status: Word::new(0),
        }
    }
}

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

    /// Puts a state back: nothing counts before everything is in place.
    pub(super) fn put_back(&self, before: &Before) {
        self.halt();
        self.take_status();
        write_all(&self.registers, self.facts.counters, |number| self.counter(number), &before.counters.values());
        self.line.restore(before.line.get());
        write_all(&self.registers, self.facts.counters, |number| self.select(number), &before.selects.values());
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

    /// Reads which counters have overflowed, and clears that.
    fn take_status(&self) -> u64 {
        if !self.facts.has_global() {
            return 0;
        }
        let status = Status::from_bits_retain(self.registers.read(Msr::CORE_STATUS)).counters().bits();
        self.registers.write(Msr::CORE_RESET, status);
        status
    }
}
