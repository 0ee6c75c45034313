//! The results of the PMC library: sums, then a table of statistics for each level that was kept.

use core::fmt;

use crate::stats::{Fixed, Rates, Series, Statistics};

/// A measurement, in the layout of the PMC library's example program.
///
/// The library printed two events; here there is a column for each event. With N events the ratios are those
/// of neighbours: 0:1 and 1:0, 1:2 and 2:1, and so on. As in the library, values that were not kept or
/// do not exist are printed as 0. Labels have eleven characters, so that the columns of all tables are
/// aligned; the library left this open.
///
/// ```
/// use pmu::output::report::PmcResults;
/// use pmu::stats::{Level, Statistics};
///
/// let mut total = Statistics::<2>::new(Level::Sums);
/// total.accumulate(70_000, [30_004, 10_001]);
/// let text = PmcResults(&total).to_string();
/// assert!(text.starts_with("tot.pmc_sum_cycles()  =            70000\n"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PmcResults<'a, const N: usize>(pub &'a Statistics<N>);

impl<const N: usize> fmt::Display for PmcResults<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.0;
        writeln!(f, "tot.pmc_sum_cycles()  = {:16}", total.sum_cycles())?;
        for event in 0..N {
            writeln!(f, "tot.pmc_sum_events({event}) = {:16}", total.sum_events(event).unwrap_or(0))?;
        }
        let (all, nonzero) = (total.cycles().count(), total.nonzero_intervals());
        writeln!(f, "\ncycles and events ({all} total, {nonzero} nonzero)")?;
        let events = || (0..N).filter_map(|event| total.events(event));
        table(f, || core::iter::once(total.cycles()).chain(events()))?;
        writeln!(f, "\nevents per cycle")?;
        table(f, || (0..N).filter_map(|event| total.per_cycle(event)))?;
        (1..N).try_for_each(|second| ratios(f, total, second - 1, second))
    }
}

/// Prints the ratios of two events to each other.
fn ratios<const N: usize>(f: &mut fmt::Formatter<'_>, total: &Statistics<N>, one: usize, other: usize) -> fmt::Result {
    let both = || total.ratio(one, other).into_iter().chain(total.ratio(other, one));
    write!(f, "\nevent ratios, {one}:{other}, {other}:{one} (")?;
    for (column, rates) in both().enumerate() {
        write!(f, "{}{}", if column > 0 { ", " } else { "" }, rates.count())?;
    }
    writeln!(f, " intervals)")?;
    table(f, both)
}

/// The statistics in a column of a table.
trait Column {
    fn least(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn greatest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn average(&self) -> Option<Fixed>;
    fn spread(&self) -> Option<Fixed>;
}

impl Column for Series {
    fn least(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " {:16}", self.min().unwrap_or(0))
    }

    fn greatest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " {:16}", self.max().unwrap_or(0))
    }

    fn average(&self) -> Option<Fixed> {
        self.mean()
    }

    fn spread(&self) -> Option<Fixed> {
        self.variance()
    }
}

impl Column for Rates {
    fn least(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        number(f, self.min())
    }

    fn greatest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        number(f, self.max())
    }

    fn average(&self) -> Option<Fixed> {
        self.mean()
    }

    fn spread(&self) -> Option<Fixed> {
        self.variance()
    }
}

fn number(f: &mut fmt::Formatter<'_>, number: Option<Fixed>) -> fmt::Result {
    write!(f, " {:16.6}", number.unwrap_or_default())
}

fn table<'a, C: Column + 'a, I: Iterator<Item = &'a C>>(
    f: &mut fmt::Formatter<'_>,
    columns: impl Fn() -> I,
) -> fmt::Result {
    row(f, "min", columns(), |f, column| column.least(f))?;
    row(f, "max", columns(), |f, column| column.greatest(f))?;
    row(f, "mean", columns(), |f, column| number(f, column.average()))?;
    row(f, "variance", columns(), |f, column| number(f, column.spread()))?;
    row(f, "std.dev.", columns(), |f, column| number(f, column.spread().map(Fixed::root)))
}

fn row<'a, C: 'a>(
    f: &mut fmt::Formatter<'_>,
    label: &str,
    mut columns: impl Iterator<Item = &'a C>,
    cell: impl Fn(&mut fmt::Formatter<'_>, &C) -> fmt::Result,
) -> fmt::Result {
    write!(f, " {label:<9}")?;
    columns.try_for_each(|column| cell(f, column))?;
    writeln!(f)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Level;

    fn results(level: Level, intervals: &[(u64, [u64; 2])]) -> String {
        let mut total = Statistics::new(level);
        for &(cycles, events) in intervals {
            total.accumulate(cycles, events);
        }
        PmcResults(&total).to_string()
    }

    #[test]
    fn the_layout_is_the_librarys() {
        let text = results(Level::Ratios, &[(100, [50, 10]), (200, [100, 0])]);
        let wanted = "\
tot.pmc_sum_cycles()  =              300
tot.pmc_sum_events(0) =              150
tot.pmc_sum_events(1) =               10

cycles and events (2 total, 2 nonzero)
 min                    100               50                0
 max                    200              100               10
 mean            150.000000        75.000000         5.000000
 variance       5000.000000      1250.000000        50.000000
 std.dev.         70.710678        35.355339         7.071068

events per cycle
 min               0.500000         0.000000
 max               0.500000         0.100000
 mean              0.500000         0.050000
 variance          0.000000         0.005000
 std.dev.          0.000000         0.070711

event ratios, 0:1, 1:0 (1, 2 intervals)
 min               5.000000         0.000000
 max               5.000000         0.200000
 mean              5.000000         0.100000
 variance          0.000000         0.020000
 std.dev.          0.000000         0.141421
";
        assert_eq!(text, wanted);
    }

    #[test]
    fn what_was_not_kept_prints_as_zero() {
        let text = results(Level::Sums, &[(100, [50, 10])]);
        assert!(text.contains("tot.pmc_sum_events(0) =               50\n"));
        assert!(text.contains("cycles and events (0 total, 0 nonzero)\n min                      0"));
    }
}
