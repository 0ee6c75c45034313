//! What a device keeps of the processor's state, and has in its snapshots.

use crate::arch::powerpc::ProcessorState;
use crate::virt::words;

/// The state of the virtual processor, as far as this family has it.
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

impl From<ProcessorState> for Context {
    fn from(state: ProcessorState) -> Self {
        Self { instruction: state.instruction, datum: state.datum, marked: state.marked, running: state.running }
    }
}
