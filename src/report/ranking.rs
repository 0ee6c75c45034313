//! The greatest first, with no room to sort in: a pass for each.

use core::iter;

/// Hands out what `unsorted` has in the order of its keys, of which no two are equal.
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
