//! What the bench measured, in the lines that `xtask` reads: `figure <name> <value> <unit> <how>`.

use core::fmt::{Display, Write};

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

/// Prints a figure, in instructions.
pub fn figure(mut to: impl Write, name: impl Display, value: u64, reached: Reached) {
    let reached = match reached {
        Reached::Inline => "inline",
        Reached::Called => "called",
        Reached::Interrupted => "interrupted",
    };
    writeln!(to, "figure {name} {value} instructions {reached}").expect("a console takes everything");
}
