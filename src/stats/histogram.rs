//! The distribution of values, in bins each twice as wide as the one before.

/// The number of bins: one for 0, and one for each power of two.
const BINS: usize = 65;

/// Counts values by their magnitude: 0, 1, 2 to 3, 4 to 7, and so on to 2^64 - 1.
///
/// ```
/// use pmu::stats::Histogram;
///
/// let histogram: Histogram = [0, 1, 5, 6, 7].into_iter().collect();
/// let bins: Vec<_> = histogram.bins().collect();
/// assert_eq!(bins, [(0..=0, 1), (1..=1, 1), (4..=7, 3)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Histogram {
    bins: [u64; BINS],
}

impl Histogram {
    /// Creates a histogram without values.
    #[must_use]
    pub const fn new() -> Self {
        Self { bins: [0; BINS] }
    }

    /// Adds a value.
    #[inline]
    pub fn add(&mut self, value: u64) {
        if let Some(bin) = self.bins.get_mut((u64::BITS - value.leading_zeros()) as usize) {
            *bin += 1;
        }
    }

    /// Returns the bins that are not empty: the range of each, and its number of values.
    pub fn bins(&self) -> impl Iterator<Item = (core::ops::RangeInclusive<u64>, u64)> {
        self.bins.iter().enumerate().filter(|&(_, &count)| count > 0).map(|(bin, &count)| (range(bin), count))
    }

    /// Returns the number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.bins.iter().sum()
    }
}

fn range(bin: usize) -> core::ops::RangeInclusive<u64> {
    match bin.checked_sub(1) {
        None => 0..=0,
        Some(exponent) => 1 << exponent..=u64::MAX >> (63 - exponent),
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl FromIterator<u64> for Histogram {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Self {
        let mut histogram = Self::new();
        values.into_iter().for_each(|value| histogram.add(value));
        histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_falls_into_the_bin_that_says_so() {
        for value in (0..=64).map(|bits| u64::MAX.checked_shr(bits).unwrap_or(0)).chain(0..100) {
            let histogram: Histogram = [value].into_iter().collect();
            let (range, count) = histogram.bins().next().expect("one value came");
            assert!(range.contains(&value) && count == 1, "{value} in {range:?}");
        }
    }

    #[test]
    fn the_bins_leave_no_gap() {
        assert!((1..BINS).all(|bin| range(bin).start() - 1 == *range(bin - 1).end()));
        assert_eq!(*range(BINS - 1).end(), u64::MAX);
    }
}
