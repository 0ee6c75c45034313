//! What a device keeps of the processor's state, and has in its snapshots.

use crate::arch::powerpc::ProcessorState;
use crate::virt::words;

/// The state of the virtual processor, as far as this family has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Context {
    /// Whether the process is marked (MSR\[PMM\]).
    pub marked: bool,
    /// Whether the processor is in guest state (MSR\[GS\]). Only e500mc uses it.
    pub guest: bool,
}

words!(Context { marked, guest });

impl From<ProcessorState> for Context {
    fn from(state: ProcessorState) -> Self {
        Self { marked: state.marked, guest: state.guest }
    }
}
