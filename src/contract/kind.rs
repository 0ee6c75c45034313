//! The kind of a unit: which units accept each other's placements.

/// The kind of a unit. Units of one kind accept each other's demands and placements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind(u64);

impl Kind {
    /// The kind of no unit.
    pub(crate) const NONE: Self = Self(0);

    /// Returns the number of a unit of this kind on which no session has anything in use.
    pub(crate) const fn alone(self) -> u64 {
        self.0
    }

    /// Returns the number of a unit with counters in use by sessions, which was given this ticket. No kind has it.
    pub(crate) const fn beside(ticket: u64) -> u64 {
        ticket & !(1 << 63)
    }

    /// Creates the kind with this number, which a driver packs from all that its placements depend on. The top bit is
    /// lost.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits | 1 << 63)
    }
}
