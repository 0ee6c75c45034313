//! Who called: functions by their samples, and beneath each the callers that it worked for.

use core::cmp::Reverse;
use core::fmt;

use super::ranking::ranked;
use super::samples::{Name, Rows};
use crate::profile::{Call, Calls, Resolver};

/// Calls as a table, with percentages of all samples that were added to them.
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
/// A function that the resolver does not know is printed as its address and `?`; `nobody known` is
/// the caller of the outermost function, and of samples without a chain. Functions with as many
/// samples come by address, and so do callers.
///
/// There is no room to sort in, so printing takes a pass over the calls for each row.
#[derive(Debug)]
pub struct CallReport<'a, R: ?Sized, const N: usize> {
    calls: &'a Calls<N>,
    resolver: &'a R,
    limit: usize,
}

impl<R: ?Sized, const N: usize> Clone for CallReport<'_, R, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, const N: usize> Copy for CallReport<'_, R, N> {}

impl<'a, R: Resolver + ?Sized, const N: usize> CallReport<'a, R, N> {
    /// All functions, and all callers of each.
    #[must_use]
    pub const fn new(calls: &'a Calls<N>, resolver: &'a R) -> Self {
        Self { calls, resolver, limit: N }
    }

    /// No more functions than these; the rest is summed up in one row.
    #[must_use]
    pub const fn top(mut self, functions: usize) -> Self {
        self.limit = functions;
        self
    }

    /// The functions and their samples, the most samples first. A row's caller says nothing.
    pub fn functions(&self) -> impl Iterator<Item = Call> {
        let calls = self.calls;
        ranked(move || functions(calls), |row| (Reverse(row.samples), row.function)).take(self.limit.min(N))
    }

    /// The callers of a function and their samples, the most samples first.
    pub fn callers_of(&self, function: u64) -> impl Iterator<Item = Call> {
        let calls = self.calls;
        let of_function = move || calls.calls().iter().filter(move |call| call.function == function).copied();
        ranked(of_function, |row| (Reverse(row.samples), row.caller))
    }

    /// A function's row, and beneath it those of its callers.
    fn print(&self, rows: &mut Rows<'_, '_>, function: Call) -> fmt::Result {
        rows.row(function.samples, self.name(function.function))?;
        self.callers_of(function.function).try_for_each(|call| match call.caller {
            Some(caller) => rows.detail(call.samples, format_args!("  from {}", self.name(caller))),
            None => rows.detail(call.samples, "  from nobody known"),
        })
    }

    const fn name(&self, address: u64) -> Name<'a, R> {
        Name { address, resolver: self.resolver }
    }
}

/// The functions in the order of their addresses.
fn functions<const N: usize>(calls: &Calls<N>) -> impl Iterator<Item = Call> {
    calls.calls().chunk_by(|call, next| call.function == next.function).filter_map(|calls| {
        let samples = calls.iter().fold(0, |sum: u64, call| sum.saturating_add(call.samples));
        calls.first().map(|call| Call { function: call.function, caller: None, samples })
    })
}

impl<R: Resolver + ?Sized, const N: usize> fmt::Display for CallReport<'_, R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Rows::begin(f, self.calls.total(), self.calls.left_out())?;
        self.functions().try_for_each(|function| self.print(&mut rows, function))?;
        rows.end(functions(self.calls).count().saturating_sub(self.limit))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::profile::{Nameless, Symbol};

    const SYMBOLS: [Symbol; 3] = [
        Symbol { name: "copy", start: 0x100 },
        Symbol { name: "read", start: 0x200 },
        Symbol { name: "write", start: 0x300 },
    ];

    fn calls<const N: usize>(all: &[(u64, Option<u64>, u64)]) -> Calls<N> {
        let mut calls = Calls::new();
        all.iter().for_each(|&(function, caller, samples)| calls.add(function, caller, samples));
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
        assert_eq!(CallReport::new(&calls, &SYMBOLS[..]).top(2).to_string(), wanted);
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
