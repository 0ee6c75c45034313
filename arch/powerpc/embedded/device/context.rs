//! The state of the virtual processor, which freezes depend on.

use crate::virt::words;

/// The state of the virtual processor while it works.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Context {
    /// Whether the process is marked (MSR\[PMM\]).
    pub marked: bool,
    /// Whether the processor is in guest state (MSR\[GS\]). Only e500mc uses it.
    pub guest: bool,
}

words!(Context { marked, guest });
