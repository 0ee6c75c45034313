//! The state of the virtual processor, which registers capture and freezes depend on.

use crate::virt::words;

/// The state of the virtual processor while it works.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Context {
    /// The address of the current instruction, which SIAR captures.
    pub instruction: u32,
    /// The address of its data, if it has any, which SDAR captures.
    pub datum: Option<u32>,
    /// Whether the process is marked (MSR\[PMM\]).
    pub marked: bool,
}

words!(Context { instruction, datum, marked });
