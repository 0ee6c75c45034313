//! Statistics of values that are not kept: number, sum, least, greatest, mean and variance.

use super::fixed::Fixed;
use super::wide::{self, Squares};

/// Statistics of values that are added one by one, such as the counts or the cycles of intervals.
///
/// The sums are exact integers. The order of the values does not matter, and nothing is rounded before a
/// result is computed. (The PMC library's running mean accumulated rounding errors.)
///
/// ```
/// use pmu::stats::Series;
///
/// let series: Series = [2, 4, 4, 4, 5, 5, 7, 9].into_iter().collect();
/// assert_eq!((series.min(), series.max()), (Some(2), Some(9)));
/// assert_eq!(format!("{:.3}", series.variance().unwrap()), "4.571"); // 32/7
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Series {
    count: u64,
    sum: u128,
    squares: Squares,
    least: u64,
    greatest: u64,
}

impl Series {
    /// Creates a series without values.
    #[must_use]
    pub const fn new() -> Self {
        Self { count: 0, sum: 0, squares: Squares::ZERO, least: u64::MAX, greatest: 0 }
    }

    /// Adds a value.
    #[inline(always)]
    pub fn add(&mut self, value: u64) {
        self.count = self.count.wrapping_add(1);
        self.sum = self.sum.wrapping_add(value.into());
        self.squares.add(value);
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    /// Returns the number of values.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the sum of the values.
    #[must_use]
    pub const fn sum(&self) -> u128 {
        self.sum
    }

    /// Returns the least value, or `None` if there is none.
    #[must_use]
    pub fn min(&self) -> Option<u64> {
        (self.count > 0).then_some(self.least)
    }

    /// Returns the greatest value, or `None` if there is none.
    #[must_use]
    pub fn max(&self) -> Option<u64> {
        (self.count > 0).then_some(self.greatest)
    }

    /// Returns the mean, or `None` if there is no value.
    #[must_use]
    pub fn mean(&self) -> Option<Fixed> {
        Fixed::ratio(self.sum, self.count.into())
    }

    /// Returns the sample variance: the sum of the squared distances from the mean, divided by the number
    /// less one. Returns `None` if there are fewer than two values.
    #[must_use]
    pub fn variance(&self) -> Option<Fixed> {
        // (n sum(x^2) - sum(x)^2) / (n (n - 1))
        let above = wide::difference(self.squares.times(self.count), wide::square(self.sum));
        let below = u128::from(self.count) * u128::from(self.count.saturating_sub(1));
        Fixed::divided(above, below)
    }

    /// Returns the square root of the variance, rounded down to a multiple of 2^-64, or `None` if there are
    /// fewer than two values.
    #[must_use]
    pub fn deviation(&self) -> Option<Fixed> {
        self.variance().map(Fixed::root)
    }
}

impl Default for Series {
    fn default() -> Self {
        Self::new()
    }
}

impl Extend<u64> for Series {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.add(value));
    }
}

impl FromIterator<u64> for Series {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Self {
        let mut series = Self::new();
        series.extend(values);
        series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[u64]) -> Series {
        values.iter().copied().collect()
    }

    #[test]
    fn nothing_has_no_statistics() {
        let nothing = Series::new();
        assert_eq!((nothing.min(), nothing.max(), nothing.mean(), nothing.variance()), (None, None, None, None));
    }

    #[test]
    fn one_value_has_a_mean_and_no_variance() {
        let one = of(&[7]);
        assert_eq!((one.mean(), one.variance()), (Some(Fixed::whole(7)), None));
    }

    #[test]
    fn a_variance_is_over_the_number_less_one() {
        assert_eq!(of(&[1, 2, 3, 4]).variance(), Fixed::ratio(5, 3));
        assert_eq!(of(&[5, 5, 5]).variance(), Some(Fixed::ZERO));
    }

    #[test]
    fn a_small_spread_of_large_values_is_not_lost() {
        let large = u64::MAX - 2;
        assert_eq!(of(&[large, large + 1, large + 2]).variance(), Some(Fixed::whole(1)));
    }

    #[test]
    fn the_widest_spread_there_is_does_not_overflow() {
        let spread = of(&[0, u64::MAX]);
        let square = u128::from(u64::MAX) * u128::from(u64::MAX);
        assert_eq!(spread.variance(), Fixed::ratio(square, 2));
    }
}
