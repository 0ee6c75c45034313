//! Statistics of quotients: events per cycle, or one event per another.

use super::fixed::Fixed;
use super::series::Series;

/// The number of bits that are kept after a quotient's point.
const BITS: u32 = 32;

/// Statistics of quotients that are added one by one and not kept.
///
/// Each quotient is rounded to the nearest 2^-32. One of 2^32 or more is taken as the largest number below
/// 2^32, and [`Rates::clamped`] counts it. The error of min, max and mean is therefore at most 2^-33, and that
/// of the standard deviation at most 2^-32. A quotient whose denominator is 0 is not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rates {
    series: Series,
    clamped: u64,
}

impl Rates {
    /// Creates statistics without quotients.
    #[must_use]
    pub const fn new() -> Self {
        Self { series: Series::new(), clamped: 0 }
    }

    /// Adds `numerator` / `denominator`, unless `denominator` is 0.
    pub fn add(&mut self, numerator: u64, denominator: u64) {
        let Some(quotient) = quotient(numerator, denominator) else { return };
        self.clamped += u64::from(u64::try_from(quotient).is_err());
        self.series.add(u64::try_from(quotient).unwrap_or(u64::MAX));
    }

    /// Returns the number of quotients.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.series.count()
    }

    /// Returns how many of the quotients were 2^32 or more.
    #[must_use]
    pub const fn clamped(&self) -> u64 {
        self.clamped
    }

    /// Returns the least quotient, or `None` if there is none.
    #[must_use]
    pub fn min(&self) -> Option<Fixed> {
        self.series.min().map(unscaled)
    }

    /// Returns the greatest quotient, or `None` if there is none.
    #[must_use]
    pub fn max(&self) -> Option<Fixed> {
        self.series.max().map(unscaled)
    }

    /// Returns the mean of the quotients, or `None` if there is none. All have the same weight.
    #[must_use]
    pub fn mean(&self) -> Option<Fixed> {
        Fixed::ratio(self.series.sum(), u128::from(self.count()) << BITS)
    }

    /// Returns the sample variance (divided by the number less one), or `None` if there are fewer than two.
    #[must_use]
    pub fn variance(&self) -> Option<Fixed> {
        let scaled = self.series.variance()?;
        Fixed::ratio(scaled.trunc(), 1 << (2 * BITS))
    }

    /// Returns the square root of the variance, or `None` if there are fewer than two quotients.
    #[must_use]
    pub fn deviation(&self) -> Option<Fixed> {
        let scaled = self.series.deviation()?;
        Some(unscaled(u64::try_from(scaled.trunc()).unwrap_or(u64::MAX)))
    }
}

/// Returns the quotient in units of 2^-32, rounded to the nearest.
fn quotient(numerator: u64, denominator: u64) -> Option<u128> {
    ((u128::from(numerator) << BITS) + u128::from(denominator) / 2).checked_div(denominator.into())
}

fn unscaled(value: u64) -> Fixed {
    Fixed::ratio(value.into(), 1 << BITS).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_kept_with_their_fraction() {
        let mut rates = Rates::new();
        [(1, 2), (3, 2), (5, 2)].into_iter().for_each(|(above, below)| rates.add(above, below));
        assert_eq!((rates.min(), rates.max()), (Fixed::ratio(1, 2), Fixed::ratio(5, 2)));
        assert_eq!((rates.mean(), rates.variance()), (Fixed::ratio(3, 2), Some(Fixed::whole(1))));
        assert_eq!(rates.deviation(), Some(Fixed::whole(1)));
    }

    #[test]
    fn a_division_by_zero_does_not_come_in() {
        let mut rates = Rates::new();
        rates.add(5, 0);
        assert_eq!((rates.count(), rates.mean(), rates.variance()), (0, None, None));
    }

    #[test]
    fn a_quotient_beyond_the_range_is_clamped_and_counted() {
        let mut rates = Rates::new();
        rates.add(u64::MAX, 1);
        assert_eq!((rates.count(), rates.clamped()), (1, 1));
        assert_eq!(rates.max().map(Fixed::trunc), Some(u128::from(u32::MAX)));
    }
}
