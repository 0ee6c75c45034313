//! What a host tells of its processor beside the work that was done: what the registers capture, and
//! what freezes ask for.

/// How the virtual processor stands while it works.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Context {
    /// The address of the instruction that is executed: what SIAR captures.
    pub instruction: u32,
    /// The address of its datum, if it has one: what SDAR captures.
    pub datum: Option<u32>,
    /// Is the process marked (MSR\[PMM\])?
    pub marked: bool,
}
