//! A call graph: each function with its callers and the functions that it called.

use core::cmp::Reverse;
use core::fmt;

use super::ranking::ranked;
use super::samples::{Name, percent};
use crate::result::profile::{Call, CallGraph, Hits, Resolver};

/// A call graph in the layout of `opreport --callgraph` (OProfile manual, "Callgraph details").
///
/// ```text
/// samples  %        symbol name
///   500      33.3333  read
///   1000     66.6667  write
/// 1200     60.0000  copy
///   1200     80.0000  copy [self]
///   300      20.0000  fault
/// -------------------------------------------------------------------------------
/// ```
/// The line without indentation is a function with its samples, and their part of all samples. Above it are
/// its callers, with the samples that were taken during their calls, in the function or in what it called,
/// and their part of those of all callers. Below it are the function's own samples again and the functions
/// that it called, with their part of the lines below.
///
/// A function that the resolver does not know is printed as its address and `?`. Functions with the same
/// number of samples are sorted by address. The last lines say what was left out.
///
/// Nothing is sorted in memory: printing reads the whole graph once for each line.
#[derive(Debug)]
pub struct CallGraphReport<'a, R: ?Sized, const N: usize> {
    graph: &'a CallGraph<N>,
    resolver: &'a R,
    limit: usize,
}

impl<R: ?Sized, const N: usize> Clone for CallGraphReport<'_, R, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, const N: usize> Copy for CallGraphReport<'_, R, N> {}

impl<'a, R: Resolver + ?Sized, const N: usize> CallGraphReport<'a, R, N> {
    /// Creates a report of all functions that have samples or called one that has.
    #[must_use]
    pub const fn new(graph: &'a CallGraph<N>, resolver: &'a R) -> Self {
        Self { graph, resolver, limit: usize::MAX }
    }

    /// Limits the report to so many functions.
    #[must_use]
    pub const fn top(mut self, functions: usize) -> Self {
        self.limit = functions;
        self
    }

    /// Returns the functions and their own samples, in descending order of samples.
    pub fn functions(&self) -> impl Iterator<Item = Hits> {
        let graph = self.graph;
        let of = move |call: &Call| call.caller.map(|address| Hits { address, samples: graph.own_of(address) });
        // A function may be in `all` several times, but `ranked` returns each once.
        let all = move || graph.own().iter().copied().chain(graph.calls().iter().filter_map(of));
        ranked(all, |function| (Reverse(function.samples), function.address)).take(self.limit)
    }

    /// Returns the callers of a function and the samples during their calls, in descending order of samples.
    pub fn callers_of(&self, function: u64) -> impl Iterator<Item = Hits> {
        let caller = |call: &Call| Some(Hits { address: call.caller?, samples: call.samples });
        self.ranked(move |call| call.function == function, caller)
    }

    /// Returns the functions that a function called and the samples during these calls, in descending order
    /// of samples.
    pub fn called_by(&self, function: u64) -> impl Iterator<Item = Hits> {
        let called = |call: &Call| Some(Hits { address: call.function, samples: call.samples });
        self.ranked(move |call| call.caller == Some(function), called)
    }

    fn ranked(
        &self,
        is_one: impl Fn(&Call) -> bool + Copy,
        other: impl Fn(&Call) -> Option<Hits> + Copy,
    ) -> impl Iterator<Item = Hits> {
        let calls = self.graph.calls();
        let all = move || calls.iter().filter(move |call| is_one(call)).filter_map(other);
        ranked(all, |other| (Reverse(other.samples), other.address))
    }

    fn print(&self, f: &mut fmt::Formatter<'_>, function: Hits) -> fmt::Result {
        let Hits { address, samples } = function;
        let name = |address| Name { address, resolver: self.resolver };
        let callers = sum(self.callers_of(address));
        let below = samples.saturating_add(sum(self.called_by(address)));
        self.callers_of(address)
            .try_for_each(|caller| indented_line(f, caller.samples, callers, name(caller.address)))?;
        line(f, samples, self.graph.total(), name(address))?;
        if samples > 0 {
            indented_line(f, samples, below, format_args!("{} [self]", name(address)))?;
        }
        self.called_by(address).try_for_each(|called| indented_line(f, called.samples, below, name(called.address)))?;
        writeln!(f, "{:-<79}", "")
    }
}

impl<R: Resolver + ?Sized, const N: usize> fmt::Display for CallGraphReport<'_, R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (total, left_out) = (self.graph.total(), self.graph.left_out());
        writeln!(f, "{:<9}{:<9}symbol name", "samples", "%")?;
        self.functions().try_for_each(|function| self.print(f, function))?;
        if left_out > 0 {
            line(f, left_out, total, "(no room)")?;
        }
        match self.graph.calls_left_out() {
            0 => Ok(()),
            calls => writeln!(f, "{calls:<9}{:<9}(calls without room)", ""),
        }
    }
}

/// Prints a line: samples, their part of all, and a name.
fn line(f: &mut fmt::Formatter<'_>, samples: u64, all: u64, whose: impl fmt::Display) -> fmt::Result {
    writeln!(f, "{samples:<9}{:<9.4}{whose}", percent(samples, all))
}

/// Prints an indented line.
fn indented_line(f: &mut fmt::Formatter<'_>, samples: u64, all: u64, whose: impl fmt::Display) -> fmt::Result {
    f.write_str("  ")?;
    line(f, samples, all, whose)
}

fn sum(all: impl Iterator<Item = Hits>) -> u64 {
    all.fold(0, |sum, hits| sum.saturating_add(hits.samples))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::profile::{Nameless, Symbol};
    use crate::sample::chain::Chains;
    use crate::{Interrupted, Mode, Timer};

    const SYMBOLS: [Symbol; 4] = [
        Symbol { name: "copy", start: 0x100 },
        Symbol { name: "fault", start: 0x200 },
        Symbol { name: "read", start: 0x300 },
        Symbol { name: "write", start: 0x400 },
    ];

    /// So many samples with each of these chains, the innermost function first.
    fn graph<const N: usize>(chains: &[(u64, &[u64])]) -> CallGraph<N> {
        let (timer, kept) = (Timer::<64>::new(), Chains::<8, 64>::new());
        let mut graph = CallGraph::new();
        for (samples, chain) in chains {
            (0..*samples).for_each(|_| {
                timer.tick_chained(Interrupted::new(chain[0], Mode::Kernel), &kept, |walk| {
                    chain[1..].iter().for_each(|caller| _ = walk.push(caller + 4));
                    Ok(())
                });
            });
            for (sample, chain) in kept.pair(timer.samples().unwrap()).unwrap() {
                graph.sample(&sample, chain.as_ref(), &SYMBOLS[..]);
            }
        }
        graph
    }

    #[test]
    fn callers_stand_above_a_function_and_what_it_called_below() {
        let graph =
            graph::<8>(&[(3, &[0x104, 0x300]), (6, &[0x108, 0x410]), (1, &[0x200, 0x120, 0x410]), (2, &[0x304])]);
        let wanted = "samples  %        symbol name
  7        70.0000  write
  3        30.0000  read
9        75.0000  copy
  9        90.0000  copy [self]
  1        10.0000  fault
-------------------------------------------------------------------------------
2        16.6667  read
  2        40.0000  read [self]
  3        60.0000  copy
-------------------------------------------------------------------------------
  1        100.0000 copy
1        8.3333   fault
  1        100.0000 fault [self]
-------------------------------------------------------------------------------
0        0.0000   write
  7        100.0000 copy
-------------------------------------------------------------------------------
";
        assert_eq!(CallGraphReport::new(&graph, &SYMBOLS[..]).to_string(), wanted);
        let top = CallGraphReport::new(&graph, &SYMBOLS[..]).top(1).to_string();
        assert_eq!(top.lines().count(), 7, "{top}");
    }

    #[test]
    fn a_function_that_calls_itself_is_among_those_that_it_called_and_not_itself() {
        let graph = graph::<8>(&[(2, &[0x104, 0x104])]);
        let wanted = "samples  %        symbol name
  2        100.0000 copy
2        100.0000 copy
  2        50.0000  copy [self]
  2        50.0000  copy
-------------------------------------------------------------------------------
";
        assert_eq!(CallGraphReport::new(&graph, &SYMBOLS[..]).to_string(), wanted);
    }

    #[test]
    fn what_found_no_room_is_said_and_the_unknown_has_its_address() {
        let graph = graph::<1>(&[(1, &[0x50, 0x60]), (3, &[0x104, 0x300, 0x404])]);
        let wanted = "samples  %        symbol name
  1        100.0000 0x0000000000000063 ?
1        25.0000  0x0000000000000050 ?
  1        100.0000 0x0000000000000050 ? [self]
-------------------------------------------------------------------------------
0        0.0000   0x0000000000000063 ?
  1        100.0000 0x0000000000000050 ?
-------------------------------------------------------------------------------
3        75.0000  (no room)
6                 (calls without room)
";
        assert_eq!(CallGraphReport::new(&graph, &SYMBOLS[..]).to_string(), wanted);
    }

    #[test]
    fn no_samples_are_a_title_alone() {
        let text = CallGraphReport::new(&CallGraph::<4>::new(), &Nameless).to_string();
        assert_eq!(text, "samples  %        symbol name\n");
    }
}
