//! Which units take each other's placements?

/// The kind of a unit: two units of one kind take each other's demands and placements. It is never that of no unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind(u64);

impl Kind {
    /// No unit's kind.
    pub(crate) const NONE: Self = Self(0);

    /// Returns the number of a unit of this kind on which no session has anything in use.
    pub(crate) const fn alone(self) -> u64 {
        self.0
    }

    /// Returns the number of a unit on which sessions have something in use, which was given this ticket. It is no kind's.
    pub(crate) const fn beside(ticket: u64) -> u64 {
        ticket & !(1 << 63)
    }

    /// The kind with this number, which a driver packs from all that its placements depend on. The top bit is lost.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits | 1 << 63)
    }
}
