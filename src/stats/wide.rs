//! The integers of more than 128 bits that exact statistics need.
//!
//! Sums of squares are kept exactly: a variance is then a difference of integers and loses no
//! precision, whatever the values and their order. Only [`Squares::add`] runs for each value;
//! everything else runs when a result is computed.

/// An unsigned integer of 256 bits, least significant word first.
pub(super) type Wide = [u64; 4];

/// A sum of squares of 64-bit values. Its 192 bits hold 2^64 squares of the largest value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Squares {
    low: u128,
    high: u64,
}

impl Squares {
    /// The sum of no squares.
    pub(super) const ZERO: Self = Self { low: 0, high: 0 };

    /// Adds the square of `value`.
    #[inline(always)]
    pub(super) fn add(&mut self, value: u64) {
        let square = u128::from(value) * u128::from(value);
        let (low, carried) = self.low.overflowing_add(square);
        self.low = low;
        self.high = self.high.wrapping_add(u64::from(carried));
    }

    /// Returns the sum times `times`.
    pub(super) fn times(self, times: u64) -> Wide {
        product(&[low_word(self.low), high_word(self.low), self.high], &[times])
    }
}

/// Returns the square of `value`.
pub(super) fn square(value: u128) -> Wide {
    product_of(value, value)
}

/// Returns the product of two numbers.
pub(super) fn product_of(left: u128, right: u128) -> Wide {
    product(&[low_word(left), high_word(left)], &[low_word(right), high_word(right)])
}

/// Returns `left` times `right`, which MUST have at most four words together.
fn product(left: &[u64], right: &[u64]) -> Wide {
    let mut result = [0; 4];
    for (shift, &factor) in right.iter().enumerate() {
        let mut carry = 0;
        let places = result.iter_mut().skip(shift);
        for (place, &word) in places.zip(left.iter().chain(&[0; 4])) {
            let sum = u128::from(*place) + u128::from(word) * u128::from(factor) + u128::from(carry);
            *place = low_word(sum);
            carry = high_word(sum);
        }
    }
    result
}

/// Returns the sum of two numbers, modulo 2^256.
pub(super) fn sum(left: Wide, right: Wide) -> Wide {
    let mut carry = false;
    let mut result = [0; 4];
    for ((place, left), right) in result.iter_mut().zip(left).zip(right) {
        let (more, first) = left.overflowing_add(right);
        let (more, second) = more.overflowing_add(u64::from(carry));
        *place = more;
        carry = first || second;
    }
    result
}

/// Returns `left` minus `right`, which MUST NOT be greater.
pub(super) fn difference(left: Wide, right: Wide) -> Wide {
    let mut borrowed = false;
    let mut result = [0; 4];
    for ((place, left), right) in result.iter_mut().zip(left).zip(right) {
        let (less, first) = left.overflowing_sub(right);
        let (less, second) = less.overflowing_sub(u64::from(borrowed));
        *place = less;
        borrowed = first || second;
    }
    result
}

/// Returns true if `left` is at most `right`.
fn is_at_most(left: Wide, right: Wide) -> bool {
    left.iter().rev().le(right.iter().rev())
}

/// Returns `dividend` shifted left by 64 and divided by `divisor`, rounded to the nearest. The result is
/// truncated to 256 bits. `divisor` MUST NOT be 0.
pub(super) fn quotient(dividend: Wide, divisor: u128) -> Wide {
    let mut result = [0; 4];
    let mut remainder = 0u128;
    for bit in (0..5 * 64).rev() {
        let carry = remainder >> 127 != 0;
        remainder = remainder << 1 | u128::from(bit_of(dividend, bit));
        let fits = carry || remainder >= divisor;
        if fits {
            remainder = remainder.wrapping_sub(divisor);
        }
        shift_in(&mut result, fits);
    }
    if remainder >= divisor - remainder { increment(result) } else { result }
}

/// Returns the bit of `dividend << 64` with this number.
fn bit_of(dividend: Wide, bit: usize) -> bool {
    let word = (bit / 64).checked_sub(1).map_or(0, |word| dividend[word & 3]);
    word >> (bit % 64) & 1 != 0
}

fn shift_in(value: &mut Wide, bit: bool) {
    let mut carry = u64::from(bit);
    for word in value {
        (*word, carry) = (*word << 1 | carry, *word >> 63);
    }
}

fn increment(value: Wide) -> Wide {
    let mut carry = true;
    value.map(|word| {
        let (sum, overflow) = word.overflowing_add(u64::from(carry));
        carry = overflow;
        sum
    })
}

/// Returns the greatest integer whose square is at most `value`.
pub(super) fn root(value: Wide) -> u128 {
    let mut found = 0;
    for bit in (0..128).rev() {
        let tried = found | 1 << bit;
        if is_at_most(square(tried), value) {
            found = tried;
        }
    }
    found
}

#[allow(clippy::cast_possible_truncation, reason = "the low word is meant")]
pub(super) const fn low_word(value: u128) -> u64 {
    value as u64
}

pub(super) const fn high_word(value: u128) -> u64 {
    (value >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_squares_add_up() {
        let mut squares = Squares::ZERO;
        (0..3).for_each(|_| squares.add(u64::MAX));
        // 3 (2^64 - 1)^2 = 3 * 2^128 - 6 * 2^64 + 3
        assert_eq!(squares.times(1), [3, u64::MAX - 5, 2, 0]);
    }

    #[test]
    fn a_quotient_is_rounded_to_the_nearest() {
        assert_eq!(quotient([2, 0, 0, 0], 3), [0xAAAA_AAAA_AAAA_AAAB, 0, 0, 0]);
        assert_eq!(quotient([1, 0, 0, 0], 3), [0x5555_5555_5555_5555, 0, 0, 0]);
        assert_eq!(quotient([0, 0, 6, 0], 2), [0, 0, 0, 3]);
    }

    #[test]
    fn a_root_is_the_greatest_that_fits() {
        for value in [0, 1, 2, 3, 4, 99, 100, 1 << 40, u128::MAX] {
            assert_eq!(root(square(value)), value);
            if value > 1 {
                assert_eq!(root(difference(square(value), [1, 0, 0, 0])), value - 1);
            }
        }
    }
}
