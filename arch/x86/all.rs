//! One register of every counter, read or written at once: for saving a unit and putting it back.

use super::{Index, Msr};
use crate::counter::CounterSet;
use crate::registers::Registers;
use crate::word::Word;

/// Reads these counters' registers, and keeps what they hold.
pub(super) fn keep_all<const N: usize, R>(
    registers: &R,
    counters: CounterSet,
    register: impl Fn(u8) -> Option<Msr>,
    kept: &Kept<N>,
) where
    R: Registers<Address = Msr, Index = Index>,
{
    for counter in counters {
        if let (Some(word), Some(msr)) = (kept.0.get(counter.index()), register(counter.number())) {
            word.set(registers.read(msr));
        }
    }
}

/// Writes into these counters' registers what `value` makes of what was kept of them.
pub(super) fn write_all<const N: usize, R>(
    registers: &R,
    counters: CounterSet,
    register: impl Fn(u8) -> Option<Msr>,
    kept: &Kept<N>,
    value: impl Fn(u64) -> u64,
) where
    R: Registers<Address = Msr, Index = Index>,
{
    for counter in counters {
        if let (Some(word), Some(msr)) = (kept.0.get(counter.index()), register(counter.number())) {
            registers.write(msr, value(word.get()));
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

    pub(super) fn words(&self) -> &[Word; N] {
        &self.0
    }
}
