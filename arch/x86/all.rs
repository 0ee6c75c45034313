//! One register of every counter, read or written at once: for saving a unit and putting it back.

use super::{Index, Msr};
use crate::contract::Registers;
use crate::event::CounterSet;
use crate::sync::Word;

/// The registers of one kind, a counter's each: where the first is, and how far it is to the next.
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

/// Reads these counters' registers, and keeps what they hold: of as many as there are words.
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

/// Writes into these counters' registers the bits of `reached` of what was kept of them.
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
