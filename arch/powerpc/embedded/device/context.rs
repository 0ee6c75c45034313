//! What a host tells of its processor beside the work that was done: what freezes ask for.

/// How the virtual processor stands while it works.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Context {
    /// Is the process marked (MSR\[PMM\])?
    pub marked: bool,
    /// Is the processor in guest state (MSR\[GS\])? e500mc asks.
    pub guest: bool,
}
