//! A test of many counters at once, which has their number as a constant.

use pmu::{CounterId, CounterSet};

/// The first counters of these, which are so many at least.
pub fn first<const N: usize>(all: CounterSet) -> [CounterId; N] {
    let mut counters = all.into_iter();
    [(); N].map(|()| counters.next().expect("there are as many"))
}

/// Makes `Together`, a test of so many counters of this driver at once, and `together`, which tests all that a unit has:
/// `counters` is the function that says which, and the numbers are those of the processors presented so far.
#[macro_export]
macro_rules! together {
    (driver: $driver:ty, counters: $counters:ident, numbers: $($number:literal)*) => {
        /// A test of so many counters at once.
        pub trait Together {
            /// Tests these.
            fn test<const N: usize>(pmu: &::pmu::Pmu<$driver>, counters: [::pmu::CounterId; N]);
        }

        /// Tests all counters.
        pub fn together<T: Together>(pmu: &::pmu::Pmu<$driver>) {
            let all = $counters(&pmu.description());
            match all.len() {
                $($number => T::test(pmu, $crate::first::<$number>(all)),)*
                other => panic!("no processor presented so far has {other} counters"),
            }
        }
    };
}
