//! Statistics that a few outliers do not change: median, quartiles, and the mean without outliers.

use super::fixed::Fixed;
use super::series::Series;

/// A sample of at most `KEPT` values, and a summary of it that outliers do not change.
///
/// Up to `KEPT` values all are kept, and the summary is exact. After that a random sample is kept, in which
/// each value is with the same probability (Vitter, "Random Sampling with a Reservoir", ACM TOMS 11, 1985,
/// algorithm R). The random numbers are the same in each run, so that results can be reproduced.
#[derive(Clone, Debug)]
pub struct Robust<const KEPT: usize> {
    kept: [u64; KEPT],
    came: u64,
    random: u64,
}

/// A summary of values: their quartiles, and how many are outliers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// How many values were summarised.
    pub values: u64,
    /// The lower quartile: a quarter of the values are at most this.
    pub lower_quartile: u64,
    /// The median: half of the values are at most this.
    pub median: u64,
    /// The upper quartile: three quarters of the values are at most this.
    pub upper_quartile: u64,
    /// The median of the values' distances from the median.
    pub deviation: u64,
    /// How many values are outliers: further outside the quartiles than one and a half times the distance
    /// between them (Tukey, "Exploratory Data Analysis", 1977, section 2D).
    pub outliers: u64,
    /// The mean of the values that are not outliers.
    pub mean: Fixed,
}

impl<const KEPT: usize> Robust<KEPT> {
    /// Creates a sample without values.
    #[must_use]
    pub const fn new() -> Self {
        Self { kept: [0; KEPT], came: 0, random: 0x9E37_79B9_7F4A_7C15 }
    }

    /// Adds a value.
    pub fn add(&mut self, value: u64) {
        let place = if self.came < KEPT as u64 { self.came } else { self.below(self.came + 1) };
        self.came += 1;
        if let Some(kept) = usize::try_from(place).ok().and_then(|place| self.kept.get_mut(place)) {
            *kept = value;
        }
    }

    /// Returns a random number below `bound` (Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8, 2003).
    fn below(&mut self, bound: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        super::wide::high_word(u128::from(self.random) * u128::from(bound))
    }

    /// Returns how many values were added.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.came
    }

    /// Sorts the values that were kept and returns their summary, or `None` if there are none.
    pub fn summary(&mut self) -> Option<Summary> {
        let length = usize::try_from(self.came).map_or(KEPT, |came| came.min(KEPT));
        let kept = &mut self.kept[..length];
        kept.sort_unstable();
        let (lower, median, upper) = (quantile(kept, 1)?, quantile(kept, 2)?, quantile(kept, 3)?);
        let reach = (upper - lower).saturating_add((upper - lower) / 2);
        let usual = lower.saturating_sub(reach)..=upper.saturating_add(reach);
        let others: Series = kept.iter().copied().filter(|value| usual.contains(value)).collect();
        Some(Summary {
            values: kept.len() as u64,
            lower_quartile: lower,
            median,
            upper_quartile: upper,
            deviation: median_distance(kept, median),
            outliers: kept.len() as u64 - others.count(),
            mean: others.mean().unwrap_or_default(),
        })
    }
}

/// Returns the least value that `quarters` quarters of the sorted values do not exceed.
fn quantile(sorted: &[u64], quarters: usize) -> Option<u64> {
    sorted.get((sorted.len() * quarters).div_ceil(4).checked_sub(1)?).copied()
}

/// Returns the median of the distances from `median`. The distances grow from the middle of the sorted values
/// to both ends, so both halves are merged until half of the distances were seen.
fn median_distance(sorted: &[u64], median: u64) -> u64 {
    let middle = sorted.partition_point(|&value| value < median);
    let mut below = sorted[..middle].iter().rev().map(|value| median - value).peekable();
    let mut above = sorted[middle..].iter().map(|value| value - median).peekable();
    let mut distance = 0;
    for _ in 0..sorted.len().div_ceil(2) {
        let nearer = match (below.peek(), above.peek()) {
            (Some(left), Some(right)) if left < right => below.next(),
            (_, Some(_)) => above.next(),
            (_, None) => below.next(),
        };
        distance = nearer.unwrap_or(distance);
    }
    distance
}

impl<const KEPT: usize> Default for Robust<KEPT> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(values: &[u64]) -> Summary {
        let mut robust = Robust::<16>::new();
        values.iter().for_each(|&value| robust.add(value));
        robust.summary().expect("there are values")
    }

    #[test]
    fn an_outlier_changes_nothing_but_its_number() {
        let calm = summary(&[10, 11, 12, 13, 14, 15, 16]);
        let wild = summary(&[10, 11, 12, 13, 14, 15, 1_000_000]);
        assert_eq!((calm.median, calm.outliers, calm.mean), (13, 0, Fixed::whole(13)));
        assert_eq!((wild.median, wild.outliers, wild.mean), (13, 1, Fixed::ratio(75, 6).expect("6 is not 0")));
    }

    #[test]
    fn quartiles_and_deviation_are_values_of_the_sample() {
        let summary = summary(&[9, 1, 5, 3, 7, 2, 8]);
        assert_eq!((summary.lower_quartile, summary.median, summary.upper_quartile), (2, 5, 8));
        assert_eq!(summary.deviation, 3);
    }

    #[test]
    fn nothing_has_no_summary() {
        assert_eq!(Robust::<4>::new().summary(), None);
        assert_eq!(Robust::<0>::new().summary(), None);
    }

    #[test]
    fn a_sample_of_many_values_is_fair() {
        let mut robust = Robust::<1024>::new();
        (0..100_000).for_each(|value| robust.add(value));
        let summary = robust.summary().expect("there are values");
        assert_eq!((robust.count(), summary.values, summary.outliers), (100_000, 1024, 0));
        assert!((45_000..55_000).contains(&summary.median), "{summary:?}");
        assert!((20_000..30_000).contains(&summary.lower_quartile), "{summary:?}");
    }
}
