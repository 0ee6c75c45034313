//! What a way to count takes besides a counter: another counter, or values in a shared register.

/// A control register that requests share.
#[derive(PartialEq, Eq, Debug)]
pub struct Register {
    number: u16,
    name: &'static str,
}

impl Register {
    /// The register with this number among the family's, which is less than 64, and its name in the manual.
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

/// What a way takes besides its counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Nothing.
    One,
    /// The counter with the next number too.
    Pair,
}
