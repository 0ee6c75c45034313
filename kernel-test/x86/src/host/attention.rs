//! How closely the host follows the guest.

/// From one exit to the next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Attention {
    /// By the clock alone.
    Clock,
    /// From ring to ring.
    Rings,
    /// At each instruction.
    Instructions,
}
