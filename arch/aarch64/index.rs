//! The number of a counter that is read.

use core::fmt;

use super::SystemRegister;
use crate::event::CounterId;

/// The number of a counter: 0 to 30 are the event counters, 31 counts cycles, 32 instructions.
///
/// On Arm a counter is read by the instruction that reads any system register. There is no faster way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Index(CounterId);

impl Index {
    /// The highest index: the instruction counter's.
    pub const LAST: u8 = 32;

    /// Returns the index of a counter. Numbers above the instruction counter's become that one's.
    #[inline(always)]
    #[must_use]
    pub const fn of(counter: CounterId) -> Self {
        Self(counter)
    }

    /// Returns the counter with this number, 0 to 32, or `None` if there is no such counter.
    #[inline(always)]
    #[must_use]
    pub const fn from_number(number: u32) -> Option<Self> {
        match CounterId::new(number as u8) {
            Some(counter) if number <= Self::LAST as u32 => Some(Self(counter)),
            _ => None,
        }
    }

    /// Returns the number, which is also the counter's bit in registers with one bit a counter.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0.number()
    }

    /// Returns the counter.
    #[inline(always)]
    #[must_use]
    pub const fn counter(self) -> CounterId {
        self.0
    }

    /// Returns the counter's register.
    #[inline(always)]
    #[must_use]
    pub const fn register(self) -> SystemRegister {
        SystemRegister::any_counter(self.0)
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.register().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_is_read_where_it_is() {
        for counter in (0..=Index::LAST).filter_map(CounterId::new) {
            assert_eq!(Index::of(counter).counter(), counter);
            assert_eq!(Index::from_number(counter.number().into()), Some(Index::of(counter)));
            assert_eq!(Index::of(counter).register(), SystemRegister::any_counter(counter));
        }
    }

    #[test]
    fn there_is_none_behind_the_instruction_counter() {
        assert_eq!([33, 64, 256, u32::MAX].map(Index::from_number), [None; 4]);
        assert_eq!(Index::of(CounterId::new(63).unwrap()).register(), SystemRegister::INSTRUCTIONS);
    }
}
