//! Sorts rows without an allocator.
//!
//! [`ranked`] needs no memory, and reads all rows once for each row that it returns: it is for short tables.
//! [`First`] holds as many rows as are wanted, and reads all rows once.

use core::cmp::Reverse;
use core::iter;

/// Returns the rows of `unsorted` in the order of their keys, each key once.
pub(super) fn ranked<T, I: Iterator<Item = T>, K: Ord>(
    unsorted: impl Fn() -> I,
    key: impl Fn(&T) -> K,
) -> impl Iterator<Item = T> {
    let mut last = None;
    iter::from_fn(move || {
        let next = unsorted().filter(|row| last.as_ref().is_none_or(|last| key(row) > *last)).min_by_key(&key)?;
        last = Some(key(&next));
        Some(next)
    })
}

/// The first `K` of any number of rows, in the order of their keys.
pub(super) struct First<T, const K: usize> {
    /// The rows in use come first. Once there were more than `K` rows they are a heap, with the greatest key on top.
    rows: [T; K],
    used: usize,
    more: usize,
}

impl<T: Copy + Default, const K: usize> First<T, K> {
    /// Finds the first `K` of `rows` and sorts them. Keys are compared some n log K times.
    pub(super) fn of<O: Ord>(rows: impl Iterator<Item = T>, key: impl Fn(&T) -> O) -> Self {
        let mut first = Self { rows: [T::default(); K], used: 0, more: 0 };
        rows.for_each(|row| first.offer(row, &key));
        let used = first.used;
        first.rows[..used].sort_unstable_by_key(key);
        first
    }

    /// Keeps a row if it is among the first.
    fn offer<O: Ord>(&mut self, row: T, key: impl Fn(&T) -> O) {
        if self.used < K {
            self.rows[self.used] = row;
            self.used += 1;
            return;
        }
        if self.more == 0 {
            self.rows.sort_unstable_by_key(|row| Reverse(key(row)));
        }
        self.more += 1;
        if self.rows.first().is_some_and(|last| key(&row) < key(last)) {
            self.replace_last(row, key);
        }
    }

    /// Replaces the row on top of the heap, and restores the heap.
    fn replace_last<O: Ord>(&mut self, row: T, key: impl Fn(&T) -> O) {
        let mut at = 0;
        loop {
            let below = 2 * at + 1..(2 * at + 3).min(K);
            let Some(later) = below.max_by_key(|&place| key(&self.rows[place])) else { break };
            if key(&self.rows[later]) < key(&row) {
                break;
            }
            self.rows[at] = self.rows[later];
            at = later;
        }
        self.rows[at] = row;
    }

    /// Returns how many rows were left out.
    pub(super) const fn more(&self) -> usize {
        self.more
    }

    /// Returns the rows in their order.
    pub(super) fn into_rows(self) -> impl Iterator<Item = T> {
        self.rows.into_iter().take(self.used)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_are_those_that_sorting_puts_first(rows in prop::collection::vec(0_u32..100, 0..60)) {
            let mut sorted = rows.clone();
            sorted.sort_unstable();
            let first = First::<_, 9>::of(rows.iter().copied(), |&row| row);
            prop_assert_eq!(first.more(), rows.len().saturating_sub(9));
            prop_assert!(first.into_rows().eq(sorted.into_iter().take(9)));
        }
    }

    #[test]
    fn none_at_all_may_be_wanted() {
        let first = First::<_, 0>::of([3, 1, 2].into_iter(), |&row| row);
        assert_eq!((first.more(), first.into_rows().count()), (3, 0));
    }

    /// Returns how often keys are computed when `K` of this number of rows are kept, in the worst order, in which each row
    /// comes before all earlier ones.
    fn keys<const K: usize>(rows: u32) -> u32 {
        let asked = Cell::new(0);
        First::<_, K>::of((0..rows).rev(), |&row| {
            asked.set(asked.get() + 1);
            row
        });
        asked.get()
    }

    #[test]
    fn keys_are_asked_for_some_n_log_n_times() {
        let bound = |rows: u32, kept: u32| 6 * rows * kept.ilog2();
        assert!(keys::<1024>(1024) <= bound(1024, 1024), "{}", keys::<1024>(1024));
        assert!(keys::<2048>(2048) <= bound(2048, 2048), "{}", keys::<2048>(2048));
        assert!(keys::<16>(1024) <= bound(1024, 16), "{}", keys::<16>(1024));
        assert!(keys::<16>(2048) <= bound(2048, 16), "{}", keys::<16>(2048));
    }
}
