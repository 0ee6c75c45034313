//! The number by which RDPMC reads a counter.

use core::fmt;

use crate::event::CounterId;

/// The operand of RDPMC in ECX (SDM vol. 2, "RDPMC - Read Performance-Monitoring Counters").
///
/// The low 16 bits are the counter's number, and the high 16 bits its type: 0 for a general counter,
/// 4000H for a fixed one. Type 2000H, the top-down metrics, is not a counter and has no index here.
///
/// On the Pentium 4 bit 31 asks for the low 32 bits of the counter alone, which it reads faster; EDX becomes 0 (the same
/// section, of the "fast" and "slow" reads of the first 18 counters). perfctr lets its users ask for it
/// (x86.c of perfctr 2.6, `P4_FAST_RDPMC`).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Index(u32);

impl Index {
    const FIXED: u32 = 1 << 30;
    const FAST: u32 = 1 << 31;

    /// Returns the index of a counter: 0 to 31 are the general ones, 32 to 63 the fixed ones.
    #[inline(always)]
    #[must_use]
    pub const fn of(counter: CounterId) -> Self {
        let number = counter.number() as u32;
        Self(number & 31 | (number & 32) << 25)
    }

    /// Creates an index from a guest's ECX. Returns `None` if no counter has this index.
    #[inline(always)]
    #[must_use]
    pub const fn from_raw(raw: u32) -> Option<Self> {
        if raw & !(Self::FAST | Self::FIXED | 31) == 0 { Some(Self(raw)) } else { None }
    }

    /// Returns the value for ECX.
    #[inline(always)]
    #[must_use]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// Returns true if only the low 32 bits are asked for, as the Pentium 4 understands it. Others fault.
    #[inline(always)]
    #[must_use]
    pub const fn is_fast(self) -> bool {
        self.0 & Self::FAST != 0
    }

    /// Returns the counter whose bits are all asked for, or `None` if it is a fast read.
    #[inline(always)]
    pub(super) const fn whole(self) -> Option<CounterId> {
        if self.is_fast() { None } else { Some(self.counter()) }
    }

    /// Returns the counter.
    #[inline(always)]
    #[must_use]
    pub const fn counter(self) -> CounterId {
        match CounterId::new((self.0 & 31 | self.0 >> 25 & 32) as u8) {
            Some(counter) => counter,
            None => CounterId::ZERO,
        }
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.0 & Self::FIXED == 0 { "general" } else { "fixed" };
        let part = if self.is_fast() { ", low half" } else { "" };
        write!(f, "{kind} {}{part}", self.0 & 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_names_the_counter_it_was_made_from() {
        for counter in (0..64).filter_map(CounterId::new) {
            let index = Index::of(counter);
            assert_eq!((index.counter(), Index::from_raw(index.raw())), (counter, Some(index)));
        }
    }

    #[test]
    fn fixed_counters_have_bit_30() {
        assert_eq!(Index::of(CounterId::new(34).unwrap()).raw(), 0x4000_0002);
    }

    #[test]
    fn a_fast_read_names_its_counter_and_says_so() {
        let index = Index::from_raw(0x8000_0011).unwrap();
        assert_eq!((index.counter().number(), index.is_fast(), index.raw()), (17, true, 0x8000_0011));
        assert_eq!((format!("{index:?}"), index.whole()), ("general 17, low half".into(), None));
    }

    #[test]
    fn an_index_of_no_counter_is_none() {
        assert_eq!([32, 1 << 29, 1 << 28, u32::MAX].map(Index::from_raw), [None; 4]);
    }
}
