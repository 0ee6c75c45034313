//! What is known of quotients that came one by one: events per cycle, one event per another.

use super::fixed::Fixed;
use super::series::Series;

/// Bits behind the point of a quotient that is kept.
const BITS: u32 = 32;

/// Quotients that came one by one.
///
/// Each is rounded to the nearest 2^-32 as it comes in, and one of 2^32 or more is taken as just
/// below 2^32 and counted by [`Rates::clamped`]. So min, max and mean are off by 2^-33 at most, and
/// the standard deviation by 2^-32. A quotient with the denominator 0 does not come in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rates {
    series: Series,
    clamped: u64,
}

impl Rates {
    /// No quotient yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { series: Series::new(), clamped: 0 }
    }

    /// Takes `numerator` / `denominator` in, unless that is a division by 0.
    pub fn add(&mut self, numerator: u64, denominator: u64) {
        let Some(quotient) = quotient(numerator, denominator) else { return };
        self.clamped += u64::from(u64::try_from(quotient).is_err());
        self.series.add(u64::try_from(quotient).unwrap_or(u64::MAX));
    }

    /// How many quotients came in.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.series.count()
    }

    /// How many of them were 2^32 or more.
    #[must_use]
    pub const fn clamped(&self) -> u64 {
        self.clamped
    }

    /// The least; `None` if none came in.
    #[must_use]
    pub fn min(&self) -> Option<Fixed> {
        self.series.min().map(unscaled)
    }

    /// The greatest; `None` if none came in.
    #[must_use]
    pub fn max(&self) -> Option<Fixed> {
        self.series.max().map(unscaled)
    }

    /// The mean of the quotients, each counting alike; `None` if none came in.
    #[must_use]
    pub fn mean(&self) -> Option<Fixed> {
        Fixed::ratio(self.series.sum(), u128::from(self.count()) << BITS)
    }

    /// The variance over the number less one; `None` if fewer than two came in.
    #[must_use]
    pub fn variance(&self) -> Option<Fixed> {
        let scaled = self.series.variance()?;
        Fixed::ratio(scaled.trunc(), 1 << (2 * BITS))
    }

    /// The root of the variance; `None` as there.
    #[must_use]
    pub fn deviation(&self) -> Option<Fixed> {
        let scaled = self.series.deviation()?;
        Some(unscaled(u64::try_from(scaled.trunc()).unwrap_or(u64::MAX)))
    }
}

/// In units of 2^-32, to the nearest.
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
