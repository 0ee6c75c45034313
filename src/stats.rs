//! Statistics of many short measurements: sums, extremes, means and variances, and ratios of events to
//! cycles and to each other.
//!
//! A [`Level`] says how much is kept, as in Heller's PMC library: [`Level::Sums`],
//! [`Level::Intervals`] or [`Level::Ratios`]. [`Statistics`] takes the cycles and events of each
//! interval. It can subtract the cost of reading the counters ([`Overhead`]) and skip the first
//! intervals, which start-up dominates. [`Robust`] and [`Histogram`], which the author of that library
//! planned, describe values that have outliers.
//!
//! No floating point is used: sums are exact, and results are [`Fixed`].
//!
//! ```
//! use pmu::stats::{Fixed, Level, Statistics};
//!
//! let mut loads = Statistics::<2>::new(Level::Ratios);
//! loads.accumulate(1000, [500, 20]);
//! loads.accumulate(1200, [600, 0]);
//! assert_eq!(loads.cycles().mean(), Some(Fixed::whole(1100)));
//! assert_eq!(loads.per_cycle(0).and_then(|rates| rates.max()), Fixed::ratio(1, 2));
//! assert_eq!(loads.ratio(0, 1).map(|rates| rates.count()), Some(1)); // 600 / 0 is none
//! ```

mod buffer;
mod clock;
mod fixed;
mod histogram;
mod rates;
mod robust;
mod series;
mod turns;
mod wide;

use core::array;

pub use buffer::{Buffer, UnequalSizes};
pub use clock::{Clock, Rate};
pub use fixed::Fixed;
pub use histogram::Histogram;
pub use rates::Rates;
pub use robust::{Robust, Summary};
pub use series::Series;
pub use turns::Turns;
pub(crate) use turns::{Products, Time};

/// How much is kept of each interval.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Level {
    /// Only sums.
    #[default]
    Sums = 0,
    /// Also the extremes, means and variances of cycles, of events, and of events per cycle.
    Intervals = 1,
    /// Also the extremes, means and variances of the ratio of each event to each other event.
    Ratios = 2,
}

impl Level {
    /// Returns the level with this number, as options write it.
    #[must_use]
    pub const fn from_number(number: u64) -> Option<Self> {
        match number {
            0 => Some(Self::Sums),
            1 => Some(Self::Intervals),
            2 => Some(Self::Ratios),
            _ => None,
        }
    }
}

/// What reading the counters adds to an interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overhead<const N: usize> {
    /// The cycles it adds.
    pub cycles: u64,
    /// The events it adds.
    pub events: [u64; N],
}

impl<const N: usize> Overhead<N> {
    /// No overhead: intervals are used as they are.
    pub const NONE: Self = Self { cycles: 0, events: [0; N] };

    /// Measures `rounds` empty intervals, and returns the least of each value. At least one round is made.
    ///
    /// An empty interval lies between two successive calls of `read`, which returns cycles and events.
    /// The result is the minimum and not the mean because anything above the minimum was not caused by
    /// the reading. A corrected interval is therefore rarely too short.
    pub fn measure(rounds: u32, mut read: impl FnMut() -> (u64, [u64; N])) -> Self {
        let mut empty = || {
            let (before, after) = (read(), read());
            let events = array::from_fn(|event| after.1[event].wrapping_sub(before.1[event]));
            Self { cycles: after.0.wrapping_sub(before.0), events }
        };
        let first = empty();
        (1..rounds).fold(first, |least, _| least.min(&empty()))
    }

    fn min(&self, other: &Self) -> Self {
        let events = array::from_fn(|event| self.events[event].min(other.events[event]));
        Self { cycles: self.cycles.min(other.cycles), events }
    }
}

/// Statistics of intervals in which cycles and `N` events were counted.
#[derive(Clone, Debug)]
pub struct Statistics<const N: usize> {
    level: Level,
    overhead: Overhead<N>,
    to_trim: u64,
    trimmed: u64,
    clamped: u64,
    sum_cycles: u128,
    sum_events: [u128; N],
    cycles: Series,
    events: [Series; N],
    per_cycle: [Rates; N],
    ratios: [[Rates; N]; N],
}

impl<const N: usize> Statistics<N> {
    /// Creates statistics of no intervals. Nothing is subtracted and nothing is skipped.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        Self {
            level,
            overhead: Overhead::NONE,
            to_trim: 0,
            trimmed: 0,
            clamped: 0,
            sum_cycles: 0,
            sum_events: [0; N],
            cycles: Series::new(),
            events: [const { Series::new() }; N],
            per_cycle: [const { Rates::new() }; N],
            ratios: [const { [const { Rates::new() }; N] }; N],
        }
    }

    /// Subtracts `overhead` from each interval from now on. A result below 0 becomes 0, and
    /// [`Statistics::clamped`] counts the interval.
    #[must_use]
    pub const fn without(mut self, overhead: Overhead<N>) -> Self {
        self.overhead = overhead;
        self
    }

    /// Skips the first `intervals` intervals.
    #[must_use]
    pub const fn trim(mut self, intervals: u64) -> Self {
        self.to_trim = intervals;
        self
    }

    /// Adds an interval and returns its corrected values, or `None` if the interval was skipped.
    pub fn accumulate(&mut self, cycles: u64, events: [u64; N]) -> Option<(u64, [u64; N])> {
        if self.trimmed < self.to_trim {
            self.trimmed += 1;
            return None;
        }
        let (cycles, events) = self.corrected(cycles, events);
        self.sum_cycles = self.sum_cycles.wrapping_add(cycles.into());
        for (sum, &more) in self.sum_events.iter_mut().zip(&events) {
            *sum = sum.wrapping_add(more.into());
        }
        if self.level >= Level::Intervals {
            self.add_interval(cycles, &events);
        }
        if self.level >= Level::Ratios {
            self.add_ratios(&events);
        }
        Some((cycles, events))
    }

    fn corrected(&mut self, cycles: u64, events: [u64; N]) -> (u64, [u64; N]) {
        let Overhead { cycles: cost, events: costs } = self.overhead;
        let is_short = cycles < cost || events.iter().zip(&costs).any(|(events, cost)| events < cost);
        self.clamped += u64::from(is_short);
        (cycles.saturating_sub(cost), array::from_fn(|event| events[event].saturating_sub(costs[event])))
    }

    fn add_interval(&mut self, cycles: u64, events: &[u64; N]) {
        self.cycles.add(cycles);
        for ((series, rates), &event) in self.events.iter_mut().zip(&mut self.per_cycle).zip(events) {
            series.add(event);
            rates.add(event, cycles);
        }
    }

    fn add_ratios(&mut self, events: &[u64; N]) {
        for (row, &above) in self.ratios.iter_mut().zip(events) {
            row.iter_mut().zip(events).for_each(|(rates, &below)| rates.add(above, below));
        }
    }

    /// Returns how much is kept.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Returns the number of intervals that were skipped.
    #[must_use]
    pub const fn trimmed(&self) -> u64 {
        self.trimmed
    }

    /// Returns the number of intervals that were shorter than the overhead.
    #[must_use]
    pub const fn clamped(&self) -> u64 {
        self.clamped
    }

    /// Returns the sum of the cycles.
    #[must_use]
    pub const fn sum_cycles(&self) -> u128 {
        self.sum_cycles
    }

    /// Returns the sum of an event's counts, or `None` if there is no such event.
    #[must_use]
    pub fn sum_events(&self, event: usize) -> Option<u128> {
        self.sum_events.get(event).copied()
    }

    /// Returns the series of the intervals' cycles. It is empty below [`Level::Intervals`].
    #[must_use]
    pub const fn cycles(&self) -> &Series {
        &self.cycles
    }

    /// Returns the series of an event's counts, or `None` if there is no such event. It is empty below
    /// [`Level::Intervals`].
    #[must_use]
    pub fn events(&self, event: usize) -> Option<&Series> {
        self.events.get(event)
    }

    /// Returns the ratio of an event to the cycles, over the intervals that have cycles, or `None` if
    /// there is no such event. It is empty below [`Level::Intervals`].
    #[must_use]
    pub fn per_cycle(&self, event: usize) -> Option<&Rates> {
        self.per_cycle.get(event)
    }

    /// Returns the ratio of the event `above` to the event `below`, over the intervals in which `below`
    /// occurred, or `None` if there is no such event. It is empty below [`Level::Ratios`].
    #[must_use]
    pub fn ratio(&self, above: usize, below: usize) -> Option<&Rates> {
        self.ratios.get(above)?.get(below)
    }

    /// Returns the number of intervals that have cycles; 0 below [`Level::Intervals`].
    #[must_use]
    pub fn nonzero_intervals(&self) -> u64 {
        self.per_cycle.first().map_or(0, Rates::count)
    }
}
