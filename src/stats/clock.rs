//! Converts ticks to seconds by a rate that is known or that was measured against a clock.

use crate::stats::Fixed;

/// A clock of the kernel. It runs at a constant rate and never goes back.
pub trait Clock {
    /// Returns the nanoseconds since some fixed moment.
    fn nanoseconds(&self) -> u64;
}

impl<F: Fn() -> u64> Clock for F {
    fn nanoseconds(&self) -> u64 {
        self()
    }
}

/// The rate of ticks: of [`Registers::ticks`](crate::driver::Registers::ticks), or of the cycles of a core whose
/// frequency does not change.
///
/// ```
/// use pmu::stats::Rate;
///
/// let rate = Rate::hertz(2_500_000_000).unwrap();
/// assert_eq!(format!("{:.9}", rate.seconds(5_000_000_001)), "2.000000000");
/// assert_eq!(rate.nanoseconds(25), 10);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    ticks: u64,
    nanoseconds: u64,
}

const SECOND: u64 = 1_000_000_000;

impl Rate {
    /// Creates a rate of so many ticks a second. Returns `None` if `ticks` is 0.
    #[must_use]
    pub const fn hertz(ticks: u64) -> Option<Self> {
        Self::measured(ticks, SECOND)
    }

    /// Creates a rate of `ticks` in `nanoseconds`. Returns `None` if either is 0.
    #[must_use]
    pub const fn measured(ticks: u64, nanoseconds: u64) -> Option<Self> {
        if ticks == 0 || nanoseconds == 0 { None } else { Some(Self { ticks, nanoseconds }) }
    }

    /// Measures the rate of `ticks` for at least `nanoseconds` of the kernel's clock. Returns `None`
    /// if the ticks do not advance, or if the clock does not change in `patience` successive readings.
    ///
    /// The error is the duration of one reading of the clock plus the clock's resolution, divided by
    /// `nanoseconds`: ten milliseconds with a resolution of a microsecond give a rate good to 0.01 %.
    pub fn calibrate(
        clock: &impl Clock,
        nanoseconds: u64,
        patience: u32,
        mut ticks: impl FnMut() -> u64,
    ) -> Option<Self> {
        let begin = next_step(clock, clock.nanoseconds(), patience)?;
        let first = ticks();
        let mut now = begin;
        while now.wrapping_sub(begin) < nanoseconds {
            now = next_step(clock, now, patience)?;
        }
        Self::measured(ticks().wrapping_sub(first), now.wrapping_sub(begin))
    }

    /// Converts ticks to seconds, with an error of at most 2^-65.
    #[must_use]
    pub fn seconds(&self, ticks: u64) -> Fixed {
        let above = u128::from(ticks) * u128::from(self.nanoseconds);
        Fixed::ratio(above, u128::from(self.ticks) * u128::from(SECOND)).unwrap_or_default()
    }

    /// Converts parts of ticks to seconds, where a tick has `in_a_tick` parts.
    pub(crate) fn seconds_of(&self, parts: u128, in_a_tick: u32) -> Fixed {
        let below = u128::from(self.ticks) * u128::from(SECOND) * u128::from(in_a_tick);
        Fixed::of_product(parts, [self.nanoseconds, 1], below).unwrap_or_default()
    }

    /// Returns how many millions of `count` there are in a second if `count` took `ticks`, or `None`
    /// if `ticks` is 0.
    pub(crate) fn millions_per_second(&self, count: u128, ticks: u128) -> Option<Fixed> {
        let below = ticks.checked_mul(self.nanoseconds.into())?;
        Fixed::of_product(count, [self.ticks, SECOND / 1_000_000], below)
    }

    /// Converts ticks to nanoseconds, rounded to the nearest; `u64::MAX` if the result exceeds 64 bits.
    #[must_use]
    pub fn nanoseconds(&self, ticks: u64) -> u64 {
        let above = u128::from(ticks) * u128::from(self.nanoseconds) + u128::from(self.ticks / 2);
        u64::try_from(above / u128::from(self.ticks)).unwrap_or(u64::MAX)
    }

    /// Converts nanoseconds to ticks, rounded to the nearest; `u64::MAX` if the result exceeds 64 bits.
    #[must_use]
    pub fn ticks(&self, nanoseconds: u64) -> u64 {
        let above = u128::from(nanoseconds) * u128::from(self.ticks) + u128::from(self.nanoseconds / 2);
        u64::try_from(above / u128::from(self.nanoseconds)).unwrap_or(u64::MAX)
    }
}

/// Waits for the clock to change from `last`, and returns the new value.
fn next_step(clock: &impl Clock, last: u64, patience: u32) -> Option<u64> {
    (0..patience).map(|_| clock.nanoseconds()).find(|&now| now != last)
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    #[test]
    fn a_rate_is_measured_against_the_kernels_clock() {
        let time = Cell::new(0);
        let clock = || {
            time.set(time.get() + 1);
            time.get() / 10 * 1000 // a step of a microsecond every ten readings
        };
        let rate = Rate::calibrate(&clock, 50_000, 100, || time.get() * 250).expect("both go on");
        assert_eq!(rate.nanoseconds(2500), 1000);
    }

    #[test]
    fn a_clock_that_stands_still_is_found_out() {
        assert_eq!(Rate::calibrate(&|| 7, 1000, 50, || 0), None);
    }

    #[test]
    fn ticks_that_do_not_go_on_have_no_rate() {
        let time = Cell::new(0);
        let clock = || time.replace(time.get() + 100);
        assert_eq!(Rate::calibrate(&clock, 1000, 50, || 3), None);
        assert_eq!(Rate::hertz(0), None);
    }

    #[test]
    fn the_largest_number_of_ticks_does_not_overflow() {
        let slow = Rate::hertz(1).expect("one is not 0");
        assert_eq!(slow.nanoseconds(u64::MAX), u64::MAX);
        assert_eq!(slow.seconds(u64::MAX), Fixed::from(u64::MAX));
    }
}
