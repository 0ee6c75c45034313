//! The state of a virtual processor, as its host sets it.

/// The state of the virtual processor while it works: what registers of its unit capture, and what freezes depend on. Each
/// family uses the fields that its registers have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ProcessorState {
    /// The address of the current instruction, which SIAR captures.
    pub instruction: u64,
    /// The address of its data, if it has any, which SDAR captures.
    pub datum: Option<u64>,
    /// Whether the process is marked (MSR\[PMM\]).
    pub marked: bool,
    /// Whether the processor is running and not waiting (CTRL\[RUN\]). Only Book3S has the bit.
    pub running: bool,
    /// Whether the processor is in guest state (MSR\[GS\]). Only e500mc has the bit.
    pub guest: bool,
}

impl Default for ProcessorState {
    /// Running, not marked, not in guest state, at address 0.
    fn default() -> Self {
        Self { instruction: 0, datum: None, marked: false, running: true, guest: false }
    }
}
