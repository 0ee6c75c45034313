//! Flags: refinements of an event that are on or off.

use core::fmt;

/// A refinement of an event that is on or off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Flag {
    /// Count the cycles in which the condition becomes true, not those in which it is true.
    Edge,
    /// Count the cycles with fewer events than the threshold, not those with at least as many.
    Invert,
    /// Count the cycles with exactly as many events as the threshold.
    Equal,
    /// Count the events of every thread of the core.
    AnyThread,
    /// Set the pin control, by which the processor's performance-monitoring pin shows each event; on some processors it
    /// shows each overflow instead.
    PinControl,
    /// Count only in the guests of this processor's hypervisor.
    GuestOnly,
    /// Count only outside the guests of this processor's hypervisor.
    HostOnly,
}

impl Flag {
    /// All flags, in the order of their bits in a set.
    pub const ALL: [Self; 7] =
        [Self::Edge, Self::Invert, Self::Equal, Self::AnyThread, Self::PinControl, Self::GuestOnly, Self::HostOnly];

    /// Returns the flag's name, as errors print it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Edge => "edge",
            Self::Invert => "invert",
            Self::Equal => "equal",
            Self::AnyThread => "any-thread",
            Self::PinControl => "pin-control",
            Self::GuestOnly => "guest-only",
            Self::HostOnly => "host-only",
        }
    }
}

/// A set of flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(u16);

impl Flags {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Creates a set from its bits.
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Returns the set with this flag added.
    #[must_use]
    pub const fn with(self, flag: Flag) -> Self {
        Self(self.0 | 1 << flag as u8)
    }

    /// Returns the set with this flag added or removed.
    #[must_use]
    pub(crate) const fn set(self, flag: Flag, is_in: bool) -> Self {
        if is_in { self.with(flag) } else { Self(self.0 & !(1 << flag as u16)) }
    }

    /// Returns true if the set has this flag.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, flag: Flag) -> bool {
        self.0 & 1 << flag as u8 != 0
    }

    /// Returns the number of flags in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if the set is empty.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the set with the flags `to` in place of the flags `from`, or `None` if it does not have all of those.
    #[must_use]
    pub(crate) const fn moved(self, from: Self, to: Self) -> Option<Self> {
        if self.0 & from.0 == from.0 { Some(Self(self.0 & !from.0 | to.0)) } else { None }
    }

    /// Returns a flag that is in this set and not in the other, if there is one.
    #[must_use]
    pub fn beyond(self, other: Self) -> Option<Flag> {
        Flag::ALL.get((self.0 & !other.0).trailing_zeros() as usize).copied()
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Flag::ALL.iter().filter(|&&flag| self.contains(flag))).finish()
    }
}
