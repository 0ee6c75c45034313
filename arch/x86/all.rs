//! Reads or writes one register of every counter: for saving a unit, halting it and restoring it.

use super::selector::ENABLE;
use super::{Index, Msr};
use crate::contract::Registers;
use crate::event::CounterSet;
use crate::sync::Word;

/// The registers of one kind, one for each counter: the address of the first, and the distance to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bank {
    pub(super) first: u32,
    pub(super) stride: u32,
}

impl Bank {
    const fn register(self, number: u8) -> Msr {
        Msr::at(self.first + self.stride * number as u32)
    }
}

/// Reads these counters' registers into `kept`. Counters for which there is no word are left out.
#[inline(never)]
pub(super) fn keep_all<R>(registers: &R, counters: CounterSet, bank: Bank, kept: &[Word])
where
    R: Registers<Address = Msr, Index = Index>,
{
    for counter in counters {
        if let Some(word) = kept.get(counter.index()) {
            word.set(registers.read(bank.register(counter.number())));
        }
    }
}

/// Writes what was kept of these counters' registers, but only the bits of `reached`.
#[inline(never)]
pub(super) fn write_all<R>(registers: &R, counters: CounterSet, bank: Bank, kept: &[Word], reached: u64)
where
    R: Registers<Address = Msr, Index = Index>,
{
    for counter in counters {
        if let Some(word) = kept.get(counter.index()) {
            registers.write(bank.register(counter.number()), word.get() & reached);
        }
    }
}

/// Stops these counters by their selectors, of which nothing else changes.
#[inline(never)]
pub(super) fn stop_all<R>(registers: &R, counters: CounterSet, selects: Bank)
where
    R: Registers<Address = Msr, Index = Index>,
{
    for counter in counters {
        let select = selects.register(counter.number());
        registers.write(select, registers.read(select) & !ENABLE);
    }
}

/// Values that are kept in words.
#[derive(Debug)]
pub(super) struct Kept<const N: usize>([Word; N]);

impl<const N: usize> Kept<N> {
    pub(super) const fn nothing() -> Self {
        Self([const { Word::new(0) }; N])
    }

    pub(super) const fn words(&self) -> &[Word; N] {
        &self.0
    }
}
