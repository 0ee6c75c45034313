//! What a request takes, where one mask of counters does not say it: the ways to count it.
//!
//! A way is a set of counters, or of pairs, and what it needs in registers that other requests
//! need too. Two requests can be together when they agree on every bit that both need.

use crate::counter::{CounterId, CounterSet};

/// A control register that requests share, for fields to name.
#[derive(Debug)]
pub struct Register {
    number: u16,
    name: &'static str,
}

impl Register {
    /// The register with this number among the family's, and its name in the manual.
    #[must_use]
    pub const fn new(number: u16, name: &'static str) -> Self {
        Self { number, name }
    }

    /// Its number among the family's.
    #[inline(always)]
    #[must_use]
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// Its name in the manual.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// Bits of a shared register that have to have a certain value.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The register.
    pub register: &'static Register,
    /// Which of its bits.
    pub mask: u64,
    /// Their value; no bit outside of the mask.
    pub value: u64,
}

static NO_REGISTER: Register = Register::new(0, "no register");

impl Field {
    /// No bit has to have any value: agrees with everything.
    pub const NOTHING: Self = Self { register: &NO_REGISTER, mask: 0, value: 0 };

    /// These bits of this register have to be `value`.
    #[must_use]
    pub const fn new(register: &'static Register, mask: u64, value: u64) -> Self {
        Self { register, mask, value: value & mask }
    }

    /// Can both be satisfied at once?
    #[inline]
    #[must_use]
    pub const fn agrees(&self, other: &Self) -> bool {
        self.register.number != other.register.number || (self.value ^ other.value) & self.mask & other.mask == 0
    }

    /// Does it need anything?
    #[inline]
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        self.mask == 0
    }
}

/// What a way takes besides its counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Nothing.
    One,
    /// The counter with the next number too.
    Pair,
}

/// One way to count a request.
#[derive(Clone, Copy, Debug)]
pub struct Way<const FIELDS: usize> {
    /// The counters, any of which would do; of a pair, the first.
    pub counters: CounterSet,
    /// One counter, or two.
    pub takes: Takes,
    /// What [`crate::Slot::bits`] will be.
    pub bits: u64,
    /// What it needs in shared registers.
    pub fields: [Field; FIELDS],
}

impl<const FIELDS: usize> Way<FIELDS> {
    /// No way at all, to fill a [`Demand`] up with.
    pub const NEVER: Self = Self::one(CounterSet::EMPTY, 0, [Field::NOTHING; FIELDS]);

    /// On any one of these counters.
    #[must_use]
    pub const fn one(counters: CounterSet, bits: u64, fields: [Field; FIELDS]) -> Self {
        Self { counters, takes: Takes::One, bits, fields }
    }

    /// On any one of these counters together with the next.
    #[must_use]
    pub const fn pair(firsts: CounterSet, bits: u64, fields: [Field; FIELDS]) -> Self {
        Self { counters: firsts, takes: Takes::Pair, bits, fields }
    }

    /// Do the two agree on every shared field?
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        self.fields.iter().all(|field| other.fields.iter().all(|theirs| field.agrees(theirs)))
    }

    /// The counters from which it could start, if no more than these are free.
    #[inline]
    pub(super) fn starts(&self, free: CounterSet) -> CounterSet {
        match self.takes {
            Takes::One => self.counters.and(free),
            Takes::Pair => self.counters.and(free).and(CounterSet::from_bits(free.bits() >> 1)),
        }
    }

    /// The second counter, if it starts from this one.
    pub(super) fn partner(&self, first: CounterId) -> Option<CounterId> {
        match self.takes {
            Takes::One => None,
            Takes::Pair => CounterId::new(first.number() + 1),
        }
    }
}

/// What one request takes: one of these ways, the preferred first.
#[derive(Clone, Copy, Debug)]
pub struct Demand<const WAYS: usize, const FIELDS: usize> {
    /// The ways, at most 32.
    pub ways: [Way<FIELDS>; WAYS],
}

impl<const WAYS: usize, const FIELDS: usize> Default for Demand<WAYS, FIELDS> {
    /// A demand that nothing satisfies.
    fn default() -> Self {
        Self { ways: [Way::NEVER; WAYS] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static A: Register = Register::new(1, "A");
    static B: Register = Register::new(2, "B");

    #[test]
    fn fields_agree_where_both_need_the_same() {
        let low = Field::new(&A, 0x0F, 0x03);
        assert!(low.agrees(&Field::new(&A, 0x3C, 0x10)));
        assert!(!low.agrees(&Field::new(&A, 0x3C, 0x14)));
        assert!(low.agrees(&Field::new(&B, 0x0F, 0x04)));
    }

    #[test]
    fn nothing_agrees_with_everything() {
        assert!(Field::NOTHING.agrees(&Field::new(&A, u64::MAX, 1)) && Field::NOTHING.is_nothing());
    }

    #[test]
    fn a_pair_starts_where_the_next_counter_is_free_too() {
        let pair = Way::pair(CounterSet::from_bits(1 << 63 | 0b1111), 0, []);
        assert_eq!(pair.starts(CounterSet::from_bits(1 << 63 | 0b1011)), CounterSet::from_bits(0b0001));
    }

    #[test]
    fn a_default_demand_has_no_way() {
        assert!(Demand::<3, 1>::default().ways.iter().all(|way| way.starts(CounterSet::first(64)).is_empty()));
    }
}
