//! What a device keeps of the processor's state, and has in its snapshots.

use crate::arch::powerpc::ProcessorState;
use crate::virt::words;

/// The state of the virtual processor, as far as this family has it.
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

impl From<ProcessorState> for Context {
    fn from(state: ProcessorState) -> Self {
        let narrow = |address: u64| address as u32;
        Self { instruction: narrow(state.instruction), datum: state.datum.map(narrow), marked: state.marked }
    }
}
