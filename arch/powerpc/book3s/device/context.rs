//! What a host tells of its processor beside the work that was done: what the registers capture, and
//! what freezes ask for.

/// How the virtual processor stands while it works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context {
    /// The address of the instruction that is executed: what SIAR captures.
    pub instruction: u64,
    /// The address of its datum, if it has one: what SDAR captures.
    pub datum: Option<u64>,
    /// Is the process marked (MSR\[PMM\])?
    pub marked: bool,
    /// Is the processor running, and not waiting (CTRL\[RUN\])?
    pub running: bool,
}

impl Default for Context {
    /// Running, not marked, at address 0.
    fn default() -> Self {
        Self { instruction: 0, datum: None, marked: false, running: true }
    }
}
