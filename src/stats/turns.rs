//! The error of an estimate that is made from turns of counting.

use super::fixed::Fixed;
use super::wide;

/// The turns in which something was counted: the sums of their events and ticks.
///
/// The counted turns are a sample of the whole time, and the whole is estimated from the ratio of events to
/// ticks. The standard error is that of a ratio estimate (Cochran, "Sampling Techniques", 3rd edition,
/// 1977, section 6.4), with the finite population correction for the part that was counted.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    time: Time,
    events: u64,
    products: Products,
}

/// The number of turns and the sums of their ticks: the same for all counters that count in them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    turns: u64,
    ticks: u64,
    ticks_squared: u128,
}

/// What one counter counted in the turns, as sums of products. The sum of the events is its count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Products {
    events_squared: u128,
    /// Events times ticks.
    both: u128,
}

impl Time {
    pub(crate) const NONE: Self = Self { turns: 0, ticks: 0, ticks_squared: 0 };

    #[inline(always)]
    pub(crate) fn add(&mut self, ticks: u64) {
        self.turns = self.turns.wrapping_add(1);
        self.ticks = self.ticks.wrapping_add(ticks);
        self.ticks_squared = self.ticks_squared.wrapping_add(u128::from(ticks) * u128::from(ticks));
    }
}

impl Products {
    pub(crate) const NONE: Self = Self { events_squared: 0, both: 0 };

    #[inline(always)]
    pub(crate) fn add(&mut self, events: u64, ticks: u64) {
        self.events_squared = self.events_squared.wrapping_add(u128::from(events) * u128::from(events));
        self.both = self.both.wrapping_add(u128::from(events) * u128::from(ticks));
    }
}

impl Turns {
    /// No turns.
    pub const NONE: Self = Self::of(Time::NONE, 0, Products::NONE);

    pub(crate) const fn of(time: Time, events: u64, products: Products) -> Self {
        Self { time, events, products }
    }

    /// Adds a turn of `ticks` in which `events` were counted.
    #[inline]
    pub fn add(&mut self, events: u64, ticks: u64) {
        self.time.add(ticks);
        self.events = self.events.wrapping_add(events);
        self.products.add(events, ticks);
    }

    /// Returns the standard error of the events that are estimated for `whole` ticks, rounded down, or
    /// `None` if there are fewer than two turns.
    ///
    /// It is right for fewer than 2^32 turns of less than 2^48 events and ticks each.
    #[must_use]
    pub fn error(&self, whole: u64) -> Option<u64> {
        let Time { turns, ticks, .. } = self.time;
        let uncounted = u128::from(whole.saturating_sub(ticks));
        let correction =
            Fixed::ratio(uncounted * u128::from(turns), u128::from(whole) * u128::from(turns.saturating_sub(1)))?;
        let per_tick_squared = u128::from(ticks) * u128::from(ticks);
        let error = Fixed::of_product(self.residual(), [whole, in_2_to_the_32(correction.root())], per_tick_squared)?;
        u64::try_from(error.trunc() >> 32).ok()
    }

    /// Returns the root of the sum of the turns' squared distances from their common ratio, times the ticks:
    /// sqrt(T^2 sum(x^2) - 2 X T sum(x t) + X^2 sum(t^2)).
    fn residual(&self) -> u128 {
        let (events, ticks) = (u128::from(self.events), u128::from(self.time.ticks));
        let squares = wide::sum(
            wide::product_of(ticks * ticks, self.products.events_squared),
            wide::product_of(events * events, self.time.ticks_squared),
        );
        let both = wide::product_of(events * ticks, self.products.both);
        wide::root(wide::difference(squares, wide::sum(both, both)))
    }
}

/// Returns a number below 2^32 in units of 2^-32.
fn in_2_to_the_32(number: Fixed) -> u64 {
    wide::low_word(number.trunc() << 32) | number.fract() >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(turns: &[(u64, u64)]) -> Turns {
        let mut sums = Turns::NONE;
        turns.iter().for_each(|&(events, ticks)| sums.add(events, ticks));
        sums
    }

    #[test]
    fn turns_that_are_all_alike_have_no_error() {
        assert_eq!(of(&[(50, 100), (25, 50), (100, 200)]).error(10_000), Some(0));
    }

    #[test]
    fn one_turn_says_nothing_about_its_error() {
        assert_eq!(of(&[(50, 100)]).error(1000), None);
        assert_eq!(Turns::NONE.error(0), None);
    }

    #[test]
    fn what_was_counted_all_the_time_has_no_error() {
        assert_eq!(of(&[(1, 100), (99, 100)]).error(200), Some(0));
    }

    #[test]
    fn an_error_is_what_the_formula_says() {
        // r = 0.5; residuals -10, 10; S = 200; n = 2, T = 200; whole = 1000, f = 0.2:
        // 1000 sqrt(0.8 * 2 / 1 * 200 / 200^2) = 89.44
        assert_eq!(of(&[(40, 100), (60, 100)]).error(1000), Some(89));
    }
}
