//! The halves of %pic: one counter of 32 bits in each.

use super::program::COUNTERS;
use crate::event::{CounterId, CounterSet, Width};

/// One of the two counters in %pic; as a number, its lowest bit's position there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Half {
    /// pic0, in the lower 32 bits.
    Pic0 = 0,
    /// pic1, in the upper 32 bits.
    Pic1 = 32,
}

impl Half {
    /// Both halves.
    pub const ALL: [Self; 2] = [Self::Pic0, Self::Pic1];

    /// The width of each. It overflows when it wraps to 0.
    pub const WIDTH: Width = Width::wrapping(32).expect("a width of 32 bits");

    /// Returns the half of a counter: 0 is pic0, and any other is pic1.
    #[inline(always)]
    #[must_use]
    pub const fn of(counter: CounterId) -> Self {
        if counter.number() == 0 { Self::Pic0 } else { Self::Pic1 }
    }

    /// Calls `each` for the halves of a set's counters. The architecture has no instruction that finds a set's lowest bit. It is
    /// called in one place, where the compiler writes it out.
    #[inline(always)]
    pub(super) fn for_each(counters: CounterSet, mut each: impl FnMut(Self)) {
        let mut left = counters.and(COUNTERS);
        while !left.is_empty() {
            let half = if left.contains(CounterId::ZERO) { Self::Pic0 } else { Self::Pic1 };
            each(half);
            left = left.without(half.counter().only());
        }
    }

    /// Returns the counter.
    #[inline(always)]
    #[must_use]
    pub fn counter(self) -> CounterId {
        CounterId::new(self.number()).unwrap_or(CounterId::ZERO)
    }

    /// Returns the counter's number.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 / 32
    }

    const fn shift(self) -> u32 {
        self as u32
    }

    /// Returns this half's value in %pic.
    #[inline(always)]
    #[must_use]
    pub const fn in_pic(self, pic: u64) -> u64 {
        pic >> self.shift() & Self::WIDTH.mask()
    }

    /// Returns %pic with this half replaced.
    #[inline(always)]
    #[must_use]
    pub const fn replaced(self, pic: u64, value: u64) -> u64 {
        pic & !(Self::WIDTH.mask() << self.shift()) | (value & Self::WIDTH.mask()) << self.shift()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_is_replaced_and_the_other_stays() {
        let pic = 0x1111_1111_2222_2222;
        assert_eq!(Half::Pic0.replaced(pic, 0x3_4444_4444), 0x1111_1111_4444_4444);
        assert_eq!(Half::Pic1.replaced(pic, 0x3_4444_4444), 0x4444_4444_2222_2222);
        assert_eq!(Half::ALL.map(|half| half.in_pic(pic)), [0x2222_2222, 0x1111_1111]);
        assert_eq!(Half::ALL.map(|half| Half::of(half.counter())), Half::ALL);
    }
}
