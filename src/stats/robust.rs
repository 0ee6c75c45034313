//! What is typical of values, whatever a few outliers do.

use super::fixed::Fixed;
use super::series::Series;

/// Values of which at most `KEPT` are kept, and a summary of them that outliers do not disturb.
///
/// While no more than `KEPT` values came, all are kept and the summary is exact. After that what is
/// kept is a sample, in which each value that came is with the same probability (Vitter,
/// "Random Sampling with a Reservoir", ACM TOMS 11, 1985, algorithm R); the random numbers are
/// always the same, so that runs can be repeated.
#[derive(Clone, Debug)]
pub struct Robust<const KEPT: usize> {
    kept: [u64; KEPT],
    came: u64,
    random: u64,
}

/// What is typical of values: their quartiles, and what is beyond.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// How many values it is made of.
    pub values: u64,
    /// A quarter of them are this or less.
    pub lower_quartile: u64,
    /// Half of them are this or less.
    pub median: u64,
    /// Three quarters of them are this or less.
    pub upper_quartile: u64,
    /// The median of their distances from the median.
    pub deviation: u64,
    /// How many are outliers: more than one and a half times the distance between the quartiles
    /// beyond the nearer one (Tukey, "Exploratory Data Analysis", 1977, section 2D).
    pub outliers: u64,
    /// The mean of the others.
    pub mean: Fixed,
}

impl<const KEPT: usize> Robust<KEPT> {
    /// No value yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { kept: [0; KEPT], came: 0, random: 0x9E37_79B9_7F4A_7C15 }
    }

    /// Takes a value in.
    pub fn add(&mut self, value: u64) {
        let place = if self.came < KEPT as u64 { self.came } else { self.below(self.came + 1) };
        self.came += 1;
        if let Some(kept) = usize::try_from(place).ok().and_then(|place| self.kept.get_mut(place)) {
            *kept = value;
        }
    }

    /// A number below `bound` (Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8, 2003).
    fn below(&mut self, bound: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        super::wide::high_word(u128::from(self.random) * u128::from(bound))
    }

    /// How many values came.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.came
    }

    /// Sorts what was kept, and sums it up; `None` if nothing was.
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

/// The least value that so many quarters of the sorted values do not exceed.
fn quantile(sorted: &[u64], quarters: usize) -> Option<u64> {
    sorted.get((sorted.len() * quarters).div_ceil(4).checked_sub(1)?).copied()
}

/// The median of the distances from `median`: they grow from the middle to both ends of the sorted
/// values, so the two halves are merged until half of them have passed.
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
