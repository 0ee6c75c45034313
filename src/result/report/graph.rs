//! A call graph: each function with its callers and the functions that it called.

use core::cmp::Reverse;
use core::fmt;

use super::opreport::Columns;
use super::ranking::ranked;
use super::samples::{Name, Percent};
use crate::result::profile::{Call, CallGraph, Hits, Place, Resolver};

/// A call graph in the layout of `opreport --callgraph` (OProfile manual, "Callgraph details").
///
/// ```text
/// samples  %        symbol name
/// -------------------------------------------------------------------------------
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
/// There is a column for images if the functions are of several. A function that the resolver does not know is printed as
/// its address and `?`. Functions with the same number of samples are sorted by address. The last lines say what was
/// left out.
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
        let of = move |call: &Call| call.caller.map(|place| Hits { place, samples: graph.own_of(place) });
        // A function may be in `all` several times, but `ranked` returns each once.
        let all = move || graph.own().iter().copied().chain(graph.calls().iter().filter_map(of));
        ranked(all, order).take(self.limit)
    }

    /// Returns the callers of a function and the samples during their calls, in descending order of samples.
    pub fn callers_of(&self, function: impl Into<Place>) -> impl Iterator<Item = Hits> {
        let function = function.into();
        let caller = |call: &Call| Some(Hits { place: call.caller?, samples: call.samples });
        self.ranked(move |call| call.function == function, caller)
    }

    /// Returns the functions that a function called and the samples during these calls, in descending order
    /// of samples.
    pub fn called_by(&self, function: impl Into<Place>) -> impl Iterator<Item = Hits> {
        let function = function.into();
        let called = |call: &Call| Some(Hits { place: call.function, samples: call.samples });
        self.ranked(move |call| call.caller == Some(function), called)
    }

    fn ranked(
        &self,
        is_one: impl Fn(&Call) -> bool + Copy,
        other: impl Fn(&Call) -> Option<Hits> + Copy,
    ) -> impl Iterator<Item = Hits> {
        let calls = self.graph.calls();
        let all = move || calls.iter().filter(move |call| is_one(call)).filter_map(other);
        ranked(all, order)
    }

    fn print(&self, f: &mut fmt::Formatter<'_>, columns: Columns, function: Hits) -> fmt::Result {
        let Hits { place, samples } = function;
        let mut row = |indent: &str, hits: Hits, all: u64, end: &str| {
            f.write_str(indent)?;
            let name = Name { place: hits.place, resolver: self.resolver };
            let samples = Percent { samples: hits.samples, all };
            columns.row(f, hits.place, samples, format_args!("{name}{end}"), self.resolver)
        };
        let callers = sum(self.callers_of(place));
        let below = samples.saturating_add(sum(self.called_by(place)));
        self.callers_of(place).try_for_each(|caller| row("  ", caller, callers, ""))?;
        row("", function, self.graph.total(), "")?;
        if samples > 0 {
            row("  ", function, below, " [self]")?;
        }
        self.called_by(place).try_for_each(|called| row("  ", called, below, ""))?;
        rule(f)
    }

    fn columns(&self) -> Columns {
        let callers = self.graph.calls().iter().filter_map(|call| call.caller);
        Columns::of(self.graph.own().iter().map(|hits| hits.place).chain(callers))
    }
}

impl<R: Resolver + ?Sized, const N: usize> fmt::Display for CallGraphReport<'_, R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (columns, all, left_out) = (self.columns(), self.graph.total(), self.graph.left_out());
        columns.title(f)?;
        rule(f)?;
        self.functions().try_for_each(|function| self.print(f, columns, function))?;
        if left_out > 0 {
            columns.note(f, Percent { samples: left_out, all }, "(no room)")?;
        }
        match self.graph.calls_left_out() {
            0 => Ok(()),
            calls => writeln!(f, "({calls} calls without room)"),
        }
    }
}

/// The order of functions.
fn order(function: &Hits) -> impl Ord + use<> {
    (Reverse(function.samples), function.place.address, function.place.image)
}

/// Prints the line between functions.
fn rule(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "{:-<79}", "")
}

fn sum(all: impl Iterator<Item = Hits>) -> u64 {
    all.fold(0, |sum, hits| sum.saturating_add(hits.samples))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::profile::{ImageId, Nameless, Symbol};
    use crate::sample::Sample;
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
-------------------------------------------------------------------------------
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
  1        100.000  copy
1         8.3333  fault
  1        100.000  fault [self]
-------------------------------------------------------------------------------
0              0  write
  7        100.000  copy
-------------------------------------------------------------------------------
";
        assert_eq!(CallGraphReport::new(&graph, &SYMBOLS[..]).to_string(), wanted);
        let top = CallGraphReport::new(&graph, &SYMBOLS[..]).top(1).to_string();
        assert_eq!(top.lines().count(), 8, "{top}");
    }

    #[test]
    fn a_function_that_calls_itself_is_among_those_that_it_called_and_not_itself() {
        let graph = graph::<8>(&[(2, &[0x104, 0x104])]);
        let wanted = "samples  %        symbol name
-------------------------------------------------------------------------------
  2        100.000  copy
2        100.000  copy
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
-------------------------------------------------------------------------------
  1        100.000  0x0000000000000063 ?
1        25.0000  0x0000000000000050 ?
  1        100.000  0x0000000000000050 ? [self]
-------------------------------------------------------------------------------
0              0  0x0000000000000063 ?
  1        100.000  0x0000000000000050 ?
-------------------------------------------------------------------------------
3        75.0000  (no room)
(6 calls without room)
";
        assert_eq!(CallGraphReport::new(&graph, &SYMBOLS[..]).to_string(), wanted);
    }

    #[test]
    fn no_samples_are_a_title_alone() {
        let text = CallGraphReport::new(&CallGraph::<4>::new(), &Nameless).to_string();
        assert_eq!(text, format!("samples  %        symbol name\n{:-<79}\n", ""));
    }

    /// What is below 0x300 is image 1, which has the other's symbols.
    struct Two;

    impl Resolver for Two {
        fn resolve(&self, place: Place) -> Option<Symbol<'_>> {
            SYMBOLS[..].resolve(place.address.into())
        }

        fn locate(&self, _: &Sample, address: u64) -> Place {
            Place { image: ImageId(u32::from(address < 0x300)), address }
        }

        fn image(&self, image: ImageId) -> Option<&str> {
            (image == ImageId(1)).then_some("libc")
        }
    }

    #[test]
    fn functions_of_several_images_have_a_column_for_them() {
        let wanted = "samples  %        image name               symbol name
-------------------------------------------------------------------------------
  1        100.000  0                        read
1        100.000  libc                     copy
  1        100.000  libc                     copy [self]
-------------------------------------------------------------------------------
";
        let (timer, kept, mut graph) = (Timer::<1>::new(), Chains::<1, 1>::new(), CallGraph::<2>::new());
        timer.tick_chained(Interrupted::new(0x104, Mode::User), &kept, |walk| {
            walk.push(0x304);
            Ok(())
        });
        let (sample, chain) = kept.pair(timer.samples().unwrap()).unwrap().next().unwrap();
        graph.sample(&sample, chain.as_ref(), &Two);
        assert_eq!(CallGraphReport::new(&graph, &Two).top(1).to_string(), wanted);
    }
}
