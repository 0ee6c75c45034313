//! Statistics are exact: compared with the definitions, in integers that cannot overflow here.

use pmu::Counts;
use pmu::stats::{Fixed, Level, Overhead, Series, Statistics};
use proptest::prelude::*;

/// n sum((x - mean)^2) / (n (n - 1)), from the definition, with n^2 as the common denominator.
fn variance_by_definition(values: &[u64]) -> Option<Fixed> {
    let n = values.len() as u128;
    let sum: u128 = values.iter().map(|&value| u128::from(value)).sum();
    let squares: u128 = values.iter().map(|&value| (u128::from(value) * n).abs_diff(sum).pow(2)).sum();
    Fixed::ratio(squares, n.pow(2) * n.saturating_sub(1))
}

proptest! {
    #[test]
    fn a_variance_is_what_its_definition_says(values in proptest::collection::vec(0..1_u64 << 40, 0..50)) {
        let series: Series = values.iter().copied().collect();
        prop_assert_eq!(series.variance(), variance_by_definition(&values));
    }

    #[test]
    fn the_order_of_the_values_changes_nothing(mut values in proptest::collection::vec(any::<u64>(), 0..50)) {
        let series: Series = values.iter().copied().collect();
        values.sort_unstable();
        prop_assert_eq!(series, values.into_iter().collect());
    }

    #[test]
    fn a_printed_number_is_the_nearest_of_its_digits(numerator in any::<u64>(), denominator in 1..=u64::MAX, digits in 0..12_usize) {
        let text = format!("{:.digits$}", Fixed::ratio(numerator.into(), denominator.into()).unwrap());
        prop_assert_eq!(text.split_once('.').map_or(0, |(_, behind)| behind.len()), digits);
        // With s units of 10^-digits: |n/d - s/10^digits| <= 1/2 10^-digits, but for the 2^-64 that a Fixed is off by.
        let units: u128 = text.replace('.', "").parse().unwrap();
        let (above, below) = (u128::from(numerator) / 2, u128::from(denominator) / 2 + 1);
        let scale = 10_u128.pow(u32::try_from(digits).unwrap());
        if let (Some(above), Some(units)) = (above.checked_mul(scale), units.checked_mul(below)) {
            let slack = below + 2 * scale + units / below;
            prop_assert!(above.abs_diff(units) <= slack, "{} / {}: {}", numerator, denominator, text);
        }
    }

    #[test]
    fn accumulated_sums_are_those_of_the_corrected_intervals(
        intervals in proptest::collection::vec((0..1000_u64, [0..1000_u64, 0..1000_u64]), 0..40),
        trim in 0..5_u64,
    ) {
        let overhead = Overhead { cycles: 100, events: [10, 0] };
        let mut statistics = Statistics::<2>::new(Level::Ratios).without(overhead).trim(trim);
        for &(cycles, events) in &intervals {
            statistics.accumulate(cycles, events);
        }
        let counted = || intervals.iter().skip(usize::try_from(trim).unwrap());
        let cycles: u64 = counted().map(|(cycles, _)| cycles.saturating_sub(100)).sum();
        let first: u64 = counted().map(|(_, events)| events[0].saturating_sub(10)).sum();
        let clamped = counted().filter(|(cycles, events)| *cycles < 100 || events[0] < 10).count();
        prop_assert_eq!(statistics.sum_cycles(), u128::from(cycles));
        prop_assert_eq!(statistics.sum_events(0), Some(u128::from(first)));
        prop_assert_eq!(statistics.clamped(), clamped as u64);
        let nonzero = counted().filter(|(cycles, _)| *cycles > 100).count();
        prop_assert_eq!(statistics.nonzero_intervals(), nonzero as u64);
    }
}

#[test]
fn a_level_that_is_not_active_keeps_nothing() {
    let mut sums = Statistics::<2>::new(Level::Sums);
    let mut intervals = Statistics::<2>::new(Level::Intervals);
    sums.accumulate(10, [1, 2]);
    intervals.accumulate(10, [1, 2]);
    assert_eq!((sums.sum_events(1), sums.cycles().count()), (Some(2), 0));
    assert_eq!((intervals.cycles().count(), intervals.ratio(0, 1).map(|rates| rates.count())), (1, Some(0)));
}

#[test]
fn an_interval_shorter_than_the_overhead_is_zero_and_counted() {
    let overhead = Overhead { cycles: 50, events: [5] };
    let mut statistics = Statistics::new(Level::Sums).without(overhead);
    assert_eq!(statistics.accumulate(20, [9]), Some((0, [4])));
    assert_eq!(statistics.clamped(), 1);
}

#[test]
fn the_overhead_is_the_least_that_an_empty_interval_shows() {
    let mut clock = 0;
    let mut costs = [40, 30, 35].into_iter().cycle();
    let overhead = Overhead::measure(3, || {
        clock += costs.next().unwrap();
        (clock, [clock / 10])
    });
    assert_eq!(overhead, Overhead { cycles: 30, events: [3] });
}

#[test]
fn the_first_intervals_can_be_left_out() {
    let mut statistics = Statistics::<1>::new(Level::Intervals).trim(2);
    let counted: Vec<_> = (0..3).map(|n| statistics.accumulate(n, [n])).collect();
    assert_eq!(counted, [None, None, Some((2, [2]))]);
    assert_eq!((statistics.trimmed(), statistics.cycles().count()), (2, 1));
}

#[test]
fn a_count_of_a_part_of_the_time_is_scaled_to_the_nearest_number() {
    let scaled = |raw, enabled, running| Counts::new([raw], enabled, running).scaled(0);
    assert_eq!([scaled(1, 4, 3), scaled(1, 3, 2), scaled(1, 5, 3)], [Some(1), Some(2), Some(2)]);
    assert_eq!([scaled(u64::MAX, 2, 1), scaled(5, 7, 0)], [Some(u64::MAX), None]);
}
