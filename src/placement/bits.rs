//! Sets of requests, of ways and of counters as plain masks.

use crate::event::CounterSet;

/// The numbers of the bits, from the lowest up.
#[inline]
pub(super) fn each(set: u64) -> impl Iterator<Item = usize> {
    CounterSet::from_bits(set).into_iter().map(|bit| usize::from(bit.number()))
}

/// The first `count` bits.
#[inline]
pub(super) const fn all(count: usize) -> u64 {
    CounterSet::first(if count < 64 { count as u8 } else { 64 }).bits()
}

/// The number of the lowest bit.
#[inline]
pub(super) const fn lowest(set: u64) -> Option<usize> {
    if set == 0 { None } else { Some(set.trailing_zeros() as usize) }
}

/// The number of the highest bit.
#[inline]
pub(super) const fn highest(set: u64) -> Option<usize> {
    if set == 0 { None } else { Some(63 - set.leading_zeros() as usize) }
}
