//! Functions by their samples, each with its callers.

use core::cmp::Reverse;
use core::fmt;

use super::ranking::{First, ranked};
use super::samples::{FullName, Name, Rows};
use crate::result::profile::{Call, Calls, Place, Resolver};

/// Calls as a table, with percentages of all samples.
///
/// ```text
///    samples  percent  symbol
///       1500    75.00  copy
///       1000    50.00    from read
///        500    25.00    from write
///        400    20.00  idle
///        400    20.00    from nobody known
///         60     3.00  (12 more)
///         40     2.00  (no room)
///       2000   100.00  (all)
/// ```
/// A function that the resolver does not know is printed as its address and `?`. If images have names, they stand
/// before the functions', as in ``init`copy``. `nobody known` is the
/// caller of the outermost function, and of samples without a chain. Functions with the same number of
/// samples are sorted by address, and so are callers.
///
/// The functions are sorted on the stack, 48 bytes each. There are at most `K` of them, which is `N` unless
/// [`CallReport::top`] sets another limit. For each caller that is printed, the callers of its function are
/// read once.
#[derive(Debug)]
pub struct CallReport<'a, R: ?Sized, const N: usize, const K: usize = N> {
    calls: &'a Calls<N>,
    resolver: &'a R,
}

impl<R: ?Sized, const N: usize, const K: usize> Clone for CallReport<'_, R, N, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, const N: usize, const K: usize> Copy for CallReport<'_, R, N, K> {}

impl<'a, R: Resolver + ?Sized, const N: usize> CallReport<'a, R, N> {
    /// Creates a report of all functions, and of all callers of each.
    #[must_use]
    pub const fn new(calls: &'a Calls<N>, resolver: &'a R) -> Self {
        Self { calls, resolver }
    }

    /// Limits the report to `K` functions. The others are summed up in one row.
    #[must_use]
    pub const fn top<const K: usize>(self) -> CallReport<'a, R, N, K> {
        CallReport { calls: self.calls, resolver: self.resolver }
    }
}

impl<'a, R: Resolver + ?Sized, const N: usize, const K: usize> CallReport<'a, R, N, K> {
    /// Returns the functions and their samples, in descending order of samples. The rows' `caller` is `None`.
    pub fn functions(&self) -> impl Iterator<Item = Call> + use<R, N, K> {
        self.first().into_rows()
    }

    fn first(&self) -> First<Call, K> {
        First::of(functions(self.calls), |row| (Reverse(row.samples), row.function))
    }

    /// Returns the callers of a function and their samples, in descending order of samples.
    pub fn callers_of(&self, function: Place) -> impl Iterator<Item = Call> {
        let from = self.calls.calls().partition_point(|call| call.function < function);
        let calls = self.calls.calls().get(from..).unwrap_or_default();
        let calls = calls.get(..calls.partition_point(|call| call.function == function)).unwrap_or_default();
        ranked(move || calls.iter().copied(), |row| (Reverse(row.samples), row.caller))
    }

    /// Prints the row of a function, and below it those of its callers.
    fn print(&self, rows: &mut Rows<'_, '_>, function: Call) -> fmt::Result {
        rows.row(function.samples, self.name(function.function))?;
        self.callers_of(function.function).try_for_each(|call| match call.caller {
            Some(caller) => rows.detail(call.samples, format_args!("  from {}", self.name(caller))),
            None => rows.detail(call.samples, "  from nobody known"),
        })
    }

    const fn name(&self, place: Place) -> FullName<'a, R> {
        FullName(Name { place, resolver: self.resolver })
    }
}

/// Returns the functions in the order of their addresses.
fn functions<const N: usize>(calls: &Calls<N>) -> impl Iterator<Item = Call> {
    calls.calls().chunk_by(|call, next| call.function == next.function).filter_map(|calls| {
        let samples = calls.iter().fold(0, |sum: u64, call| sum.saturating_add(call.samples));
        calls.first().map(|call| Call { function: call.function, caller: None, samples })
    })
}

impl<R: Resolver + ?Sized, const N: usize, const K: usize> fmt::Display for CallReport<'_, R, N, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Rows::begin(f, self.calls.total(), self.calls.left_out())?;
        let first = self.first();
        let more = first.more();
        first.into_rows().try_for_each(|function| self.print(&mut rows, function))?;
        rows.end(more)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::result::profile::{Nameless, Symbol};

    const SYMBOLS: [Symbol; 3] = [
        Symbol { name: "copy", start: 0x100 },
        Symbol { name: "read", start: 0x200 },
        Symbol { name: "write", start: 0x300 },
    ];

    fn calls<const N: usize>(all: &[(u64, Option<u64>, u64)]) -> Calls<N> {
        let mut calls = Calls::new();
        all.iter()
            .for_each(|&(function, caller, samples)| calls.add(function.into(), caller.map(Place::from), samples));
        calls
    }

    #[test]
    fn callers_stand_beneath_the_function_that_worked_for_them() {
        let all = [(0x100, Some(0x300), 30), (0x100, Some(0x200), 60), (0x200, None, 6), (0x300, Some(0x50), 3)];
        let calls = calls::<4>(&[&all[..], &[(0x400, None, 1)]].concat());
        let wanted = "   samples  percent  symbol
        90    90.00  copy
        60    60.00    from read
        30    30.00    from write
         6     6.00  read
         6     6.00    from nobody known
         3     3.00  (1 more)
         1     1.00  (no room)
       100   100.00  (all)
";
        assert_eq!(CallReport::new(&calls, &SYMBOLS[..]).top::<2>().to_string(), wanted);
        assert!(CallReport::new(&calls, &SYMBOLS[..]).to_string().contains("from 0x0000000000000050 ?"));
    }

    #[test]
    fn no_calls_are_a_table_of_nothing() {
        let wanted = "   samples  percent  symbol\n         0     0.00  (all)\n";
        assert_eq!(CallReport::new(&Calls::<4>::new(), &Nameless).to_string(), wanted);
    }

    proptest! {
        #[test]
        fn no_sample_is_missing_from_functions_nor_from_callers(
            all in prop::collection::vec((0_u64..8, prop::option::of(0_u64..8), 0_u64..1000), 0..60),
        ) {
            let calls = calls::<72>(&all);
            let report = CallReport::new(&calls, &Nameless);
            let wanted: u64 = all.iter().map(|call| call.2).sum();
            prop_assert_eq!(report.functions().map(|row| row.samples).sum::<u64>(), wanted);
            for row in report.functions() {
                prop_assert_eq!(report.callers_of(row.function).map(|row| row.samples).sum::<u64>(), row.samples);
            }
            prop_assert!(report.functions().is_sorted_by_key(|row| Reverse(row.samples)));
        }
    }
}
