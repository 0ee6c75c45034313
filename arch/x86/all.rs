//! Reads or writes many registers: for saving a unit, halting it and restoring it.

use super::selector::ENABLE;
use super::{Msr, Msrs};
use crate::event::CounterSet;
use crate::sync::Cell;

/// The registers of one kind, mostly one for each counter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bank {
    /// The address of number 0.
    first: u32,
    /// The distance to the next.
    stride: u32,
    /// The numbers of those that the unit has.
    present: CounterSet,
    /// The bits that can be written.
    mask: u64,
}

impl Bank {
    pub(super) const fn new(first: u32, stride: u32, present: CounterSet) -> Self {
        Self { first, stride, present, mask: u64::MAX }
    }

    /// One register, if the unit has it.
    pub(super) const fn one(register: Msr, exists: bool) -> Self {
        Self::new(register.address(), 1, CounterSet::from_bits(exists as u64))
    }

    /// The same registers, of which only these bits can be written.
    pub(super) const fn masked(self, mask: u64) -> Self {
        Self { mask, ..self }
    }

    const fn register(&self, number: u8) -> Msr {
        Msr::at(self.first + self.stride * number as u32)
    }
}

/// Reads these registers into `kept`, one after the other.
#[inline(never)]
pub(super) fn keep_all<R: Msrs>(registers: &R, banks: &[Bank], kept: &[Cell]) {
    let mut kept = kept.iter();
    for bank in banks {
        for (counter, word) in bank.present.into_iter().zip(&mut kept) {
            word.set(registers.read(bank.register(counter.number())) & bank.mask);
        }
    }
}

/// Writes what [`keep_all`] has read of the same registers.
#[inline(never)]
pub(super) fn write_all<R: Msrs>(registers: &R, banks: &[Bank], kept: &[Cell]) {
    let mut kept = kept.iter();
    for bank in banks {
        for (counter, word) in bank.present.into_iter().zip(&mut kept) {
            registers.write(bank.register(counter.number()), word.get());
        }
    }
}

/// Stops counters by their selectors, of which nothing else changes.
#[inline(never)]
pub(super) fn stop_all<R: Msrs>(registers: &R, selects: &Bank) {
    for counter in selects.present {
        let select = selects.register(counter.number());
        registers.write(select, registers.read(select) & !ENABLE);
    }
}
