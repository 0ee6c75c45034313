//! A test of all counters at once, which has their number as a constant.

use pmu::{CounterId, CounterSet};

use crate::kernel::{Claimed, Kernel};

/// A test of so many counters at once.
pub trait Together<K: Kernel> {
    /// Tests these.
    fn test<const N: usize>(pmu: &Claimed<K>, counters: [CounterId; N]);
}

/// Tests all counters of a unit; the numbers are those of the processors presented so far.
pub fn together<K: Kernel, T: Together<K>>(pmu: &Claimed<K>) {
    let all = K::counters(&pmu.description());
    match all.len() {
        1 => T::test(pmu, first::<1>(all)),
        2 => T::test(pmu, first::<2>(all)),
        4 => T::test(pmu, first::<4>(all)),
        5 => T::test(pmu, first::<5>(all)),
        6 => T::test(pmu, first::<6>(all)),
        7 => T::test(pmu, first::<7>(all)),
        8 => T::test(pmu, first::<8>(all)),
        11 => T::test(pmu, first::<11>(all)),
        13 => T::test(pmu, first::<13>(all)),
        other => panic!("no processor presented so far has {other} counters"),
    }
}

/// The first counters of these, which are so many at least.
fn first<const N: usize>(all: CounterSet) -> [CounterId; N] {
    let mut counters = all.into_iter();
    [(); N].map(|()| counters.next().expect("there are as many"))
}
