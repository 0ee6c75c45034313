//! From ticks to seconds: by a rate that is known, or that was measured against a clock.

use crate::stats::Fixed;

/// A clock that the kernel lends: it goes on at a constant rate and never goes back.
pub trait Clock {
    /// Nanoseconds since a moment of the kernel's choice.
    fn nanoseconds(&self) -> u64;
}

impl<F: Fn() -> u64> Clock for F {
    fn nanoseconds(&self) -> u64 {
        self()
    }
}

/// How fast ticks come: those of [`Backend::ticks`](crate::Backend::ticks), or cycles of a core
/// whose clock does not change.
///
/// ```
/// use pmu::Rate;
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
    /// So many ticks a second; `None` if 0.
    #[must_use]
    pub const fn hertz(ticks: u64) -> Option<Self> {
        Self::measured(ticks, SECOND)
    }

    /// So many ticks in so many nanoseconds; `None` if either is 0.
    #[must_use]
    pub const fn measured(ticks: u64, nanoseconds: u64) -> Option<Self> {
        if ticks == 0 || nanoseconds == 0 { None } else { Some(Self { ticks, nanoseconds }) }
    }

    /// Measures how fast `ticks` go, for `nanoseconds` by the kernel's clock at the least; `None`
    /// if they do not go on, or if the clock stands still for `patience` readings in a row.
    ///
    /// The rate is off by what one reading of the clock takes, and its resolution, per
    /// `nanoseconds`: ten milliseconds with a clock of a microsecond make it good to 0.01 %.
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

    /// What so many ticks take, in seconds, off by 2^-65 at most.
    #[must_use]
    pub fn seconds(&self, ticks: u64) -> Fixed {
        let above = u128::from(ticks) * u128::from(self.nanoseconds);
        Fixed::ratio(above, u128::from(self.ticks) * u128::from(SECOND)).unwrap_or_default()
    }

    /// What so many parts of a tick take, of which a tick has `in_a_tick`, in seconds.
    pub(crate) fn seconds_of(&self, parts: u128, in_a_tick: u32) -> Fixed {
        let below = u128::from(self.ticks) * u128::from(SECOND) * u128::from(in_a_tick);
        Fixed::of_product(parts, [self.nanoseconds, 1], below).unwrap_or_default()
    }

    /// How many of `count` fall into a second, in millions, if they took so many ticks; `None` if
    /// they took none.
    pub(crate) fn millions_per_second(&self, count: u128, ticks: u128) -> Option<Fixed> {
        let below = ticks.checked_mul(self.nanoseconds.into())?;
        Fixed::of_product(count, [self.ticks, SECOND / 1_000_000], below)
    }

    /// The same in nanoseconds, to the nearest; the largest number if that is beyond 64 bits.
    #[must_use]
    pub fn nanoseconds(&self, ticks: u64) -> u64 {
        let above = u128::from(ticks) * u128::from(self.nanoseconds) + u128::from(self.ticks / 2);
        u64::try_from(above / u128::from(self.ticks)).unwrap_or(u64::MAX)
    }
}

/// The clock's next value after `last`: a clock is read best as it changes.
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
