//! Counts samples by the sampled function and its caller.

use super::table::{Row, Table};
use super::{ImageId, Place, Resolver};
use crate::sample::Sample;
use crate::sample::chain::Chain;

/// A function, one of its callers, and the number of samples in the function during calls by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Call {
    /// The start of the sampled function, or the sampled place if the function is unknown.
    pub function: Place,
    /// The start of the calling function, or the place before the return address if that function is
    /// unknown. `None` if no caller is known.
    pub caller: Option<Place>,
    /// The number of samples.
    pub samples: u64,
}

impl Row for Call {
    type Key = (Place, Option<Place>);
    const NONE: Self = Self { function: Place { image: ImageId(0), address: 0 }, caller: None, samples: 0 };

    fn key(&self) -> Self::Key {
        (self.function, self.caller)
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    fn with(self, samples: u64) -> Self {
        Self { samples, ..self }
    }
}

/// Counts samples by function and caller, for up to `N` pairs of 48 bytes each.
///
/// [`CallReport`](crate::output::report::CallReport) prints it.
///
/// ```
/// use pmu::output::{profile::Calls, profile::Symbol};
/// use pmu::output::report::CallReport;
///
/// let symbols = [Symbol { name: "read", start: 0x1000 }, Symbol { name: "copy", start: 0x1080 }];
/// let mut calls = Calls::<64>::new();
/// calls.add(0x1080.into(), Some(0x1000.into()), 3); // or calls.sample(&sample, chain, symbols), from Chains::pair
/// assert_eq!(
///     CallReport::new(&calls, &symbols[..]).to_string(),
///     "   samples  percent  symbol\n\
///      \x20        3   100.00  copy\n\
///      \x20        3   100.00    from read\n\
///      \x20        3   100.00  (all)\n"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Calls<const N: usize>(Table<Call, N>);

impl<const N: usize> Default for Calls<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Calls<N> {
    /// Creates an empty table.
    #[must_use]
    pub const fn new() -> Self {
        Self(Table::new())
    }

    /// Adds samples in a function that were taken during calls by a caller. Counts stop at 2^64 - 1.
    pub fn add(&mut self, function: Place, caller: Option<Place>, samples: u64) {
        self.0.add(Call { function, caller, samples });
    }

    /// Adds a sample from [`Chained`](crate::samples::chain::Chained). The resolver finds its function and its caller's.
    pub fn sample<R: Resolver + ?Sized, const DEPTH: usize>(
        &mut self,
        sample: &Sample,
        chain: Option<&Chain<DEPTH>>,
        resolver: &R,
    ) {
        let caller = chain.and_then(|chain| chain.callers().first());
        let function = |address| function_start(resolver, resolver.locate(sample, address));
        self.add(function(sample.address), caller.map(|caller| function(caller.wrapping_sub(1))), 1);
    }

    /// Returns the pairs, sorted by function and then by caller.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        self.0.rows()
    }

    /// Returns how many samples found no room for their pair.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.0.left_out()
    }

    /// Returns how many samples were added, including those that found no room.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.total()
    }

    /// Removes all samples.
    pub const fn clear(&mut self) {
        self.0.clear();
    }
}

/// Returns the start of the function that contains this place, or the place if the function is unknown.
pub(super) fn function_start<R: Resolver + ?Sized>(resolver: &R, place: Place) -> Place {
    resolver.resolve(place).map_or(place, |symbol| Place { address: symbol.start, ..place })
}
