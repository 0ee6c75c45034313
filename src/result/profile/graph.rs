//! Counts samples by all calls that were active when they were taken.

use super::calls::{Call, function_start};
use super::table::Table;
use super::{Hits, Place, Resolver};
use crate::sample::Sample;
use crate::sample::chain::Chain;

/// Counts the samples in each function and during each call, for up to `N` functions of 24 bytes each and up
/// to `N` pairs of function and caller of 48 bytes each.
///
/// The `DEPTH` of the [`Chains`](crate::samples::chain::Chains) limits how many callers of a sample are known.
/// [`CallGraphReport`](crate::output::report::CallGraphReport) prints the graph.
///
/// ```
/// use pmu::samples::chain::Chains;
/// use pmu::output::{profile::CallGraph, profile::Symbol};
/// use pmu::output::report::CallGraphReport;
/// use pmu::{Interrupted, Mode, Timer}; // a Unit's overflows are the same
///
/// static TIMER: Timer<64> = Timer::new();
/// static CHAINS: Chains<16, 64> = Chains::new(); // 16 callers at the most
/// TIMER.tick_chained(Interrupted::new(0x1084, Mode::Kernel), &CHAINS, |callers| {
///     callers.push(0x1008);
///     Ok(())
/// });
///
/// let symbols = [Symbol { name: "read", start: 0x1000 }, Symbol { name: "copy", start: 0x1080 }];
/// let mut graph = CallGraph::<64>::new();
/// for (sample, chain) in CHAINS.pair(TIMER.samples()?)? {
///     graph.sample(&sample, chain.as_ref(), &symbols[..]);
/// }
/// assert_eq!(
///     CallGraphReport::new(&graph, &symbols[..]).top(1).to_string(),
///     "samples  %        symbol name\n\
///      -------------------------------------------------------------------------------\n\
///      \x20 1        100.000  read\n\
///      1        100.000  copy\n\
///      \x20 1        100.000  copy [self]\n\
///      -------------------------------------------------------------------------------\n"
/// );
/// # Ok::<(), pmu::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallGraph<const N: usize> {
    own: Table<Hits, N>,
    calls: Table<Call, N>,
}

impl<const N: usize> Default for CallGraph<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> CallGraph<N> {
    /// Creates an empty graph.
    #[must_use]
    pub const fn new() -> Self {
        Self { own: Table::new(), calls: Table::new() }
    }

    /// Adds a sample from [`Chained`](crate::samples::chain::Chained): one in the interrupted function, and one during
    /// each call that led to it. A call that occurs several times in the chain counts once. Counts stop at
    /// 2^64 - 1.
    pub fn sample<R: Resolver + ?Sized, const DEPTH: usize>(
        &mut self,
        sample: &Sample,
        chain: Option<&Chain<DEPTH>>,
        resolver: &R,
    ) {
        let callers = chain.map_or(&[][..], Chain::callers);
        let place = function_start(resolver, resolver.locate(sample, sample.address));
        self.own.add(Hits { place, samples: 1 });
        for (depth, call) in calls(sample, callers, resolver).enumerate() {
            let recurs = calls(sample, callers, resolver).take(depth).any(|inner| inner == call);
            if !recurs {
                self.calls.add(call);
            }
        }
    }

    /// Returns the starts of the interrupted functions in ascending order, each with its number of samples.
    #[must_use]
    pub fn own(&self) -> &[Hits] {
        self.own.rows()
    }

    /// Returns the calls, sorted by the called function and then by the caller, each with the number of
    /// samples that were taken during it.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        self.calls.rows()
    }

    /// Returns the number of samples in a function; 0 if it has none, or found no room.
    #[must_use]
    pub fn own_of(&self, function: impl Into<Place>) -> u64 {
        self.own.at(&function.into())
    }

    /// Returns how many samples found no room for their function.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.own.left_out()
    }

    /// Returns how often a call found no room when a sample was added.
    #[must_use]
    pub const fn calls_left_out(&self) -> u64 {
        self.calls.left_out()
    }

    /// Returns how many samples were added, including those that found no room.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.own.total()
    }

    /// Removes all samples.
    pub const fn clear(&mut self) {
        self.own.clear();
        self.calls.clear();
    }
}

/// Returns the calls that led to a sample, the innermost first, each with one sample.
fn calls<R: Resolver + ?Sized>(sample: &Sample, callers: &[u64], resolver: &R) -> impl Iterator<Item = Call> {
    let start = |address| function_start(resolver, resolver.locate(sample, address));
    let mut function = start(sample.address);
    callers.iter().map(move |caller| {
        let caller = start(caller.wrapping_sub(1));
        let call = Call { function, caller: Some(caller), samples: 1 };
        function = caller;
        call
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::result::profile::Nameless;
    use crate::sample::chain::Chains;
    use crate::{Interrupted, Mode, Timer};

    /// The graph of one sample with each of these chains, the innermost function first.
    fn graph<const N: usize>(chains: &[Vec<u64>]) -> CallGraph<N> {
        let (timer, kept) = (Timer::<64>::new(), Chains::<8, 64>::new());
        let mut graph = CallGraph::new();
        for chain in chains {
            let [function, callers @ ..] = &chain[..] else { continue };
            timer.tick_chained(Interrupted::new(*function, Mode::Kernel), &kept, |walk| {
                // A call returns to behind it.
                callers.iter().for_each(|&caller| _ = walk.push(caller + 1));
                Ok(())
            });
            for (sample, chain) in kept.pair(timer.samples().unwrap()).unwrap() {
                graph.sample(&sample, chain.as_ref(), &Nameless);
            }
        }
        graph
    }

    fn call(function: u64, caller: u64, samples: u64) -> Call {
        Call { function: function.into(), caller: Some(caller.into()), samples }
    }

    #[test]
    fn each_call_that_led_to_a_sample_counts_it_and_the_innermost_function_has_it() {
        let graph = graph::<8>(&[vec![3, 2, 1], vec![3, 1], vec![2, 1], vec![1]]);
        assert_eq!([1, 2, 3].map(|function| graph.own_of(function)), [1, 1, 2]);
        assert_eq!(graph.calls(), [call(2, 1, 2), call(3, 1, 1), call(3, 2, 1)]);
    }

    #[test]
    fn a_call_that_recurs_counts_a_sample_once() {
        let graph = graph::<8>(&[vec![2, 2, 2, 1], vec![2, 1, 2, 1]]);
        assert_eq!(graph.calls(), [call(1, 2, 1), call(2, 1, 2), call(2, 2, 1)]);
        assert_eq!(graph.total(), 2);
    }

    #[test]
    fn what_finds_no_room_is_counted() {
        let graph = graph::<1>(&[vec![3, 2, 1], vec![4, 2]]);
        assert_eq!((graph.own(), graph.left_out()), (&[Hits { place: 3.into(), samples: 1 }][..], 1));
        assert_eq!((graph.calls(), graph.calls_left_out()), (&[call(3, 2, 1)][..], 2));
        assert_eq!(graph.total(), 2);
    }

    #[test]
    fn a_graph_that_is_cleared_is_a_new_one() {
        let mut graph = graph::<2>(&[vec![3, 2, 1], vec![4, 2]]);
        graph.clear();
        assert_eq!((graph.own(), graph.calls(), graph.total()), (&[][..], &[][..], 0));
    }

    proptest! {
        #[test]
        fn no_call_has_more_samples_than_there_are_and_none_is_missing(
            chains in prop::collection::vec(prop::collection::vec(1_u64..6, 1..9), 0..40),
        ) {
            let graph = graph::<64>(&chains);
            prop_assert_eq!((graph.total(), graph.left_out()), (chains.len() as u64, 0));
            for function in 1..6 {
                let own = chains.iter().filter(|chain| chain[0] == function).count() as u64;
                prop_assert_eq!(graph.own_of(function), own);
            }
            for function in 1..6 {
                for caller in 1..6 {
                    let has = |chain: &&Vec<u64>| chain.windows(2).any(|pair| pair == [function, caller]);
                    let wanted = chains.iter().filter(has).count() as u64;
                    let found = graph.calls().iter().find(|call| **call == self::call(function, caller, call.samples));
                    prop_assert_eq!(found.map_or(0, |call| call.samples), wanted);
                }
            }
        }
    }
}
