//! One register of every counter, read or written at once: for saving a unit and putting it back.

use super::{Index, Msr};
use crate::counter::CounterSet;
use crate::registers::Registers;
use crate::word::Word;

/// What these counters' registers hold; 0 for the others.
pub(super) fn read_all<const N: usize, R>(
    registers: &R,
    counters: CounterSet,
    register: impl Fn(u8) -> Option<Msr>,
) -> [u64; N]
where
    R: Registers<Address = Msr, Index = Index>,
{
    let mut values = [0; N];
    for counter in counters {
        if let (Some(value), Some(msr)) = (values.get_mut(counter.index()), register(counter.number())) {
            *value = registers.read(msr);
        }
    }
    values
}

/// Writes these counters' registers.
pub(super) fn write_all<R>(registers: &R, counters: CounterSet, register: impl Fn(u8) -> Option<Msr>, values: &[u64])
where
    R: Registers<Address = Msr, Index = Index>,
{
    for counter in counters {
        if let (Some(&value), Some(msr)) = (values.get(counter.index()), register(counter.number())) {
            registers.write(msr, value);
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

    pub(super) fn keep(&self, values: [u64; N]) {
        for (word, value) in self.0.iter().zip(values) {
            word.set(value);
        }
    }

    pub(super) fn values(&self) -> [u64; N] {
        self.0.each_ref().map(Word::get)
    }
}
