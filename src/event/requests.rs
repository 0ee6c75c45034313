//! A set of requests, by their numbers.

use core::fmt;

use crate::event::CounterSet;
use crate::event::counter::CounterIter;

/// A set of up to 64 requests that were made together, by their numbers from 0.
///
/// ```
/// use pmu::request::Requests;
///
/// let rivals = Requests::from_bits(0b101);
/// assert!(rivals.contains(2) && !rivals.contains(1));
/// assert_eq!(rivals.to_string(), "{0, 2}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Requests(u64);

impl Requests {
    /// Stands for more requests than a set can hold.
    pub const TOO_MANY: Self = Self(u64::MAX);

    /// Creates a set from bits, the lowest for request 0.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the set as bits, one for each request.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns true if the set has this request.
    #[must_use]
    pub const fn contains(self, request: usize) -> bool {
        request < 64 && self.0 >> request & 1 != 0
    }

    /// Returns the number of requests in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Iterates over the numbers in ascending order.
impl IntoIterator for Requests {
    type Item = usize;
    type IntoIter = core::iter::Map<CounterIter, fn(crate::CounterId) -> usize>;

    fn into_iter(self) -> Self::IntoIter {
        CounterSet::from_bits(self.0).into_iter().map(|request| request.number().into())
    }
}

impl fmt::Debug for Requests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Requests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_named_by_their_numbers_from_the_lowest_up() {
        let requests = Requests::from_bits(1 << 63 | 0b110);
        assert!(requests.into_iter().eq([1, 2, 63]));
        assert_eq!((requests.to_string(), requests.len()), ("{1, 2, 63}".into(), 3));
    }

    #[test]
    fn a_request_beyond_the_last_is_not_among_them() {
        assert!(!Requests::TOO_MANY.contains(64) && Requests::TOO_MANY.contains(63));
        assert!(Requests::default().is_empty() && !Requests::TOO_MANY.is_empty());
    }
}
