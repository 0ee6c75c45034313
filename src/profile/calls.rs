//! Who called: how often which function was sampled on behalf of which other.

use super::Resolver;
use super::table::{Row, Table};
use crate::chain::Chain;
use crate::sample::Sample;

/// A function, one that called it, and how many samples were in the one for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Call {
    /// Where the function begins that was sampled; the sampled address, if its function is unknown.
    pub function: u64,
    /// Where the function begins that called it; the address before the one that the call returns
    /// to, if that function is unknown. `None` if no caller is known.
    pub caller: Option<u64>,
    /// How many samples.
    pub samples: u64,
}

impl Row for Call {
    type Key = (u64, Option<u64>);
    const NONE: Self = Self { function: 0, caller: None, samples: 0 };

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

/// How often functions were sampled on behalf of their callers, for up to `N` pairs of 32 bytes each.
///
/// [`CallReport`](crate::report::CallReport) prints it. As a [`Profile`](super::Profile), it is of
/// one address space.
///
/// ```
/// use pmu::profile::{Calls, Symbol};
/// use pmu::report::CallReport;
///
/// let symbols = [Symbol { name: "read", start: 0x1000 }, Symbol { name: "copy", start: 0x1080 }];
/// let mut calls = Calls::<64>::new();
/// calls.add(0x1080, Some(0x1000), 3); // or calls.sample(&sample, chain, symbols), from Chains::pair
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
    /// No calls yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Table::new())
    }

    /// So many more samples were in this function for that caller. Counts stop at 2^64 - 1.
    pub fn add(&mut self, function: u64, caller: Option<u64>, samples: u64) {
        self.0.add(Call { function, caller, samples });
    }

    /// A sample, as [`Chained`](crate::chain::Chained) hands it out: in the function that the
    /// resolver knows, for the one that called it.
    pub fn sample<R: Resolver + ?Sized, const DEPTH: usize>(
        &mut self,
        sample: &Sample,
        chain: Option<&Chain<DEPTH>>,
        resolver: &R,
    ) {
        let caller = chain.and_then(|chain| chain.callers().first());
        let caller = caller.map(|caller| begin(resolver, caller.wrapping_sub(1)));
        self.add(begin(resolver, sample.address), caller, 1);
    }

    /// The pairs, in the order of the functions and of their callers.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        self.0.rows()
    }

    /// How many samples found no room for their pair.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.0.left_out()
    }

    /// How many samples were added, those that found no room among them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.total()
    }

    /// Forgets everything.
    pub const fn clear(&mut self) {
        self.0.clear();
    }
}

/// Where the function begins that has this address; the address itself, if its function is unknown.
pub(super) fn begin<R: Resolver + ?Sized>(resolver: &R, address: u64) -> u64 {
    resolver.resolve(address).map_or(address, |symbol| symbol.start)
}
