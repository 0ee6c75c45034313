//! The interrupts that are still to come although their overflows were accounted for.
//!
//! A stop accounts for overflows whose interrupt has not arrived yet. If the line does not mask itself, each overflow raises
//! its own interrupt, and the first interrupt accounts for all of them. The later interrupts find no overflow, but they are
//! the unit's: no other handler would know them. The number of interrupts claimed this way is bounded: one for each overflow
//! that was accounted for before its interrupt arrived, no more than the unit could have sent, and only for a time.

use crate::contract::Late;
use crate::event::CounterSet;
use crate::sync::Word;
use crate::sync::atomic::AtomicU32;
use crate::sync::atomic::Ordering::Relaxed;

/// The interrupts that are still expected.
#[derive(Debug)]
pub(in crate::unit) struct Expected {
    count: AtomicU32,
    /// The tick at which the last overflow was accounted for.
    since: Word,
}

impl Expected {
    pub(in crate::unit) const fn none() -> Self {
        Self { count: AtomicU32::new(0), since: Word::new(0) }
    }

    /// Records that an interrupt has accounted for these overflows. One of them was its own. Where the line masks itself, it
    /// was also the interrupt that a stop expected.
    #[inline(always)]
    pub(in crate::unit) fn serve(&self, late: Late, overflowed: CounterSet, now: impl Fn() -> u64) {
        match late {
            Late::Never => {}
            Late::One { .. } => self.count.store(0, Relaxed),
            Late::Each { most, within } if overflowed.has_several() => {
                self.add(tick(within, now), overflowed.len() - 1, most, within);
            }
            Late::Each { .. } => {}
        }
    }

    /// Records that a stop is about to account for this number of overflows.
    pub(in crate::unit) fn expect(&self, late: Late, overflows: u32, now: impl Fn() -> u64) {
        match late {
            Late::Never => {}
            Late::One { within } => self.add(tick(within, now), 1, 1, within),
            Late::Each { most, within } => self.add(tick(within, now), overflows, most, within),
        }
    }

    #[cold]
    #[inline(never)]
    fn add(&self, now: u64, more: u32, most: u32, within: u64) {
        let is_over = now.wrapping_sub(self.since.get()) > within;
        self.update(|count| if is_over { more } else { count.saturating_add(more) }.min(most));
        self.since.set(now);
    }

    /// Replaces the count, even if an interrupt changes it at the same time.
    fn update(&self, change: impl Fn(u32) -> u32) {
        let _ = self.count.fetch_update(Relaxed, Relaxed, |count| Some(change(count)));
    }

    /// Subtracts the overflows that an interrupt has served meanwhile.
    pub(in crate::unit) fn take_back(&self, served: u32) {
        self.update(|count| count.saturating_sub(served));
    }

    /// None is expected: the unit begins anew.
    pub(in crate::unit) fn forget(&self) {
        self.count.store(0, Relaxed);
    }

    /// Returns true if an interrupt that found no overflow was expected. From now on one less is expected.
    pub(in crate::unit) fn claim(&self, late: Late, now: impl Fn() -> u64) -> bool {
        let count = self.count.load(Relaxed);
        let is_over = match late {
            Late::One { within } | Late::Each { within, .. } => {
                tick(within, now).wrapping_sub(self.since.get()) > within
            }
            Late::Never => false,
        };
        self.count.store(if is_over { 0 } else { count.saturating_sub(1) }, Relaxed);
        count != 0 && !is_over
    }
}

/// Returns the tick, which is not read if interrupts may come at any time: not every processor has a clock.
#[inline(always)]
fn tick(within: u64, now: impl Fn() -> u64) -> u64 {
    if within == u64::MAX { 0 } else { now() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EACH: Late = Late::Each { most: 4, within: 10 };

    /// Returns how many interrupts are claimed at this time.
    fn claimed(expected: &Expected, now: u64) -> usize {
        (0..6).filter(|_| expected.claim(EACH, || now)).count()
    }

    #[test]
    fn what_was_expected_for_too_long_is_not_added_to() {
        for (again, claimable) in [(10, 3), (11, 1)] {
            let expected = Expected::none();
            expected.expect(EACH, 2, || 0);
            expected.expect(EACH, 1, || again);
            assert_eq!(claimed(&expected, again), claimable, "the second stop was at {again}");
        }
    }

    #[test]
    fn no_more_is_expected_than_the_unit_can_have_sent_and_only_for_a_time() {
        let expected = Expected::none();
        expected.expect(EACH, 9, || 0);
        assert_eq!(claimed(&expected, 10), 4);
        expected.expect(EACH, 9, || 20);
        assert_eq!(claimed(&expected, 31), 0);
    }
}
