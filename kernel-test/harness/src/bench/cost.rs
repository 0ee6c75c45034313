//! What something costs, and the line that says it.

use core::fmt::{Display, Write};

use super::Bench;
use super::counting;

/// How the code that is measured was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    /// It is part of its caller.
    Inline,
    /// It is a function of its own; call and return are counted.
    Called,
    /// By an interrupt; from the entry's first instruction to the return from it, both counted.
    Interrupted,
}

/// What something costs.
pub trait Cost: Copy {
    /// Runs `work` where it is called. Returns what it cost, and what it returned.
    fn measure<B: Bench, T>(work: impl FnOnce() -> T) -> (Self, T);
    /// Returns by how much this is more than `other`; 0 if it is less.
    #[must_use]
    fn beyond(self, other: Self) -> Self;
    /// Returns the larger of both.
    #[must_use]
    fn or_more(self, other: Self) -> Self;
    /// Prints the figure with this name.
    fn print<B: Bench>(self, name: impl Display, reached: Reached);
}

/// So many instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instructions(pub u64);

impl Cost for Instructions {
    #[inline(always)]
    fn measure<B: Bench, T>(work: impl FnOnce() -> T) -> (Self, T) {
        let (instructions, result) = B::time(work);
        (Self(instructions), result)
    }

    fn beyond(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    fn or_more(self, other: Self) -> Self {
        self.max(other)
    }

    fn print<B: Bench>(self, name: impl Display, reached: Reached) {
        figure::<B>(name, self.0, reached);
    }
}

/// So many accesses to the unit's registers by its driver: reads, writes, and reads of counters. Those of the
/// interrupt's line and of an entry are not in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accesses(pub [u32; 3]);

impl Cost for Accesses {
    #[inline(always)]
    fn measure<B: Bench, T>(work: impl FnOnce() -> T) -> (Self, T) {
        let before = counting::tally();
        let result = work();
        (counting::tally().beyond(before), result)
    }

    fn beyond(self, other: Self) -> Self {
        Self(core::array::from_fn(|kind| self.0[kind].saturating_sub(other.0[kind])))
    }

    fn or_more(self, other: Self) -> Self {
        Self(core::array::from_fn(|kind| self.0[kind].max(other.0[kind])))
    }

    fn print<B: Bench>(self, name: impl Display, _: Reached) {
        let [reads, writes, counters] = self.0;
        line::<B>(format_args!("accesses {name} {reads} {writes} {counters}"));
    }
}

/// Prints a figure in instructions.
pub fn figure<B: Bench>(name: impl Display, instructions: u64, reached: Reached) {
    let reached = match reached {
        Reached::Inline => "inline",
        Reached::Called => "called",
        Reached::Interrupted => "interrupted",
    };
    line::<B>(format_args!("figure {name} {instructions} instructions {reached}"));
}

/// Prints a line.
pub(super) fn line<B: Bench>(words: impl Display) {
    writeln!(B::console(), "{words}").expect("a console takes everything");
}
