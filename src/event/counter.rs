//! The numbers of counters, and sets of counters.

use core::fmt;
use core::num::NonZeroUsize;

mod width;

pub use width::{Remaining, Width};

/// The number of a counter, from 0 to 63.
///
/// Each family says what the numbers stand for: on Intel, 0 to 31 are the general counters and 32 to 63 the
/// fixed ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CounterId(u8);

impl CounterId {
    /// The first counter of every unit.
    pub const ZERO: Self = Self(0);

    /// Creates the number of a counter. Returns `None` if it is 64 or more.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 64 { Some(Self(number)) } else { None }
    }

    /// Returns the number, from 0 to 63.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 & 63
    }

    /// Returns the number as an index into a table of 64. The mask removes bounds checks from hot paths.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Returns the set that has only this counter.
    #[inline(always)]
    #[must_use]
    pub const fn only(self) -> CounterSet {
        CounterSet(1 << self.number())
    }
}

impl fmt::Debug for CounterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "counter {}", self.0)
    }
}

impl fmt::Display for CounterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of counters of one unit. Iterates in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct CounterSet(u64);

impl CounterSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// The set of all 64 counters.
    pub const ALL: Self = Self(u64::MAX);

    /// Creates the set of the counters whose bits are set.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Creates the set of the counters 0 to `count` - 1, or of all 64 if `count` is 64 or more.
    #[must_use]
    pub const fn first(count: u8) -> Self {
        if count >= 64 { Self(u64::MAX) } else { Self((1 << count) - 1) }
    }

    /// Returns the set as bits, one for each counter.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns true if the set is empty.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of counters in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if the set has two or more counters.
    #[inline(always)]
    #[must_use]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns true if the set has this counter.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, counter: CounterId) -> bool {
        self.0 & counter.only().0 != 0
    }

    /// Returns true if the set has all counters of `other`.
    #[inline(always)]
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Returns the counters that are in both sets.
    #[inline(always)]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the counters that are in either set.
    #[inline(always)]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the counters that are in this set and not in the other.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the highest counter, or `None` if the set is empty.
    #[inline(always)]
    #[must_use]
    pub const fn highest(self) -> Option<CounterId> {
        if self.0 == 0 { None } else { Some(CounterId(63 - self.0.leading_zeros() as u8)) }
    }

    /// Returns the lowest counter, or `None` if the set is empty.
    #[inline(always)]
    #[must_use]
    pub const fn lowest(self) -> Option<CounterId> {
        if self.0 == 0 { None } else { Some(CounterId(self.0.trailing_zeros() as u8)) }
    }
}

impl IntoIterator for CounterSet {
    type Item = CounterId;
    type IntoIter = CounterIter;

    #[inline(always)]
    fn into_iter(self) -> CounterIter {
        let further = (self.0 >> (usize::BITS - 1) >> 1) as usize;
        CounterIter { words: [self.0 as usize, further] }
    }
}

impl FromIterator<CounterId> for CounterSet {
    fn from_iter<I: IntoIterator<Item = CounterId>>(counters: I) -> Self {
        counters.into_iter().fold(Self::EMPTY, |set, counter| set.or(counter.only()))
    }
}

impl fmt::Debug for CounterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl CounterSet {
    /// Prints the set as the noun of a sentence: `counter 1`, or `counters {0, 2}`.
    pub(crate) fn named(self) -> impl fmt::Display {
        struct Named(CounterSet);
        impl fmt::Display for Named {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.0.lowest().filter(|_| !self.0.has_several()) {
                    Some(counter) => write!(f, "counter {counter}"),
                    None => write!(f, "counters {}", self.0),
                }
            }
        }
        Named(self)
    }
}

impl fmt::Display for CounterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(|counter| counter.0)).finish()
    }
}

/// An iterator over the counters of a set, in ascending order.
#[derive(Clone, Debug)]
pub struct CounterIter {
    /// What is left of the set, in words of the machine: the second one is 0 where the first has 64 bits.
    words: [usize; 2],
}

impl Iterator for CounterIter {
    type Item = CounterId;

    #[inline(always)]
    fn next(&mut self) -> Option<CounterId> {
        let [first, further] = &mut self.words;
        take_lowest(first).or_else(|| Some(usize::BITS + take_lowest(further)?)).map(|number| CounterId(number as u8))
    }
}

/// Clears the lowest bit that is set, and returns its number.
#[inline(always)]
fn take_lowest(word: &mut usize) -> Option<u32> {
    let lowest = NonZeroUsize::new(*word)?.trailing_zeros();
    *word &= word.wrapping_sub(1);
    Some(lowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_iterates_from_the_lowest_counter_up() {
        let set = CounterSet::from_bits(1 << 63 | 1 << 33 | 1 << 32 | 1 << 31 | 1 << 2 | 1);
        assert!(set.into_iter().map(CounterId::number).eq([0, 2, 31, 32, 33, 63]));
        assert!(CounterSet::ALL.into_iter().map(CounterId::number).eq(0..64));
    }
}
