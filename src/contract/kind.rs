//! The kind of a unit: which units have the same events, and which accept each other's placements.

use crate::event::Codes;

/// The kind of a unit. Units of one kind have the same events: a code means the same on each of them.
///
/// A unit's counters are not part of its kind. A core on which somebody else uses some counters has the same kind as the other
/// cores; a thread that migrates to it is placed anew.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    events: u64,
    placements: u64,
}

/// Compares what events depend on, and not the counters.
impl PartialEq for Kind {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.events == other.events
    }
}

impl Eq for Kind {}

impl Kind {
    /// Returns whose codes the events of a unit of this kind have.
    #[inline(always)]
    pub(crate) const fn codes(self) -> Codes {
        Codes::of_kind(self.events)
    }

    /// Returns the epoch of a unit without sessions. It is the same for units that accept each other's placements.
    #[inline(always)]
    pub(crate) const fn alone(self) -> u64 {
        self.placements
    }

    /// Returns the epoch of a unit with sessions, made from this ticket. It differs from [`Self::alone`] of every kind.
    pub(crate) const fn beside(ticket: u64) -> u64 {
        ticket & !(1 << 63)
    }

    /// Creates a kind from two numbers. A driver packs `events` from all that the events depend on, and `placements` from
    /// all that placements depend on, which includes the counters and whatever `events` has. The top bits are lost.
    #[inline(always)]
    #[must_use]
    pub const fn new(events: u64, placements: u64) -> Self {
        Self { events: events | 1 << 63, placements: placements | 1 << 63 }
    }

    /// Creates the kind with this number, whose units all have the same counters. The top bit is lost.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self::new(bits, bits)
    }
}
