//! The state of the virtual processor, which registers capture and freezes depend on.

use crate::virt::words;

/// The state of the virtual processor while it works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Context {
    /// The address of the current instruction, which SIAR captures.
    pub instruction: u64,
    /// The address of its data, if it has any, which SDAR captures.
    pub datum: Option<u64>,
    /// Whether the process is marked (MSR\[PMM\]).
    pub marked: bool,
    /// Whether the processor is running and not waiting (CTRL\[RUN\]).
    pub running: bool,
}

words!(Context { instruction, datum, marked, running });

impl Default for Context {
    /// Running, not marked, at address 0.
    fn default() -> Self {
        Self { instruction: 0, datum: None, marked: false, running: true }
    }
}
