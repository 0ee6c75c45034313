//! What to count and where: events, modes, flags.

use core::fmt;

mod request;

pub use request::{Repeat, Request, Sampling};

/// A processor mode, as counters tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Mode {
    /// User programs: x86 ring 3 (a counter takes rings 1 and 2 for user too), EL0, problem state.
    #[default]
    User = 0,
    /// The kernel: x86 ring 0, EL1, supervisor state.
    Kernel = 1,
    /// A hypervisor above the kernel: EL2, hypervisor state.
    Hypervisor = 2,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::User => "user",
            Self::Kernel => "kernel",
            Self::Hypervisor => "hypervisor",
        })
    }
}

/// The modes in which a request counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modes(u8);

impl Modes {
    /// In no mode: every driver refuses it.
    pub const NONE: Self = Self(0);
    /// In user programs only.
    pub const USER: Self = Self(1 << Mode::User as u8);
    /// In the kernel only.
    pub const KERNEL: Self = Self(1 << Mode::Kernel as u8);
    /// In the hypervisor only.
    pub const HYPERVISOR: Self = Self(1 << Mode::Hypervisor as u8);
    /// In user programs and in the kernel: what a new request has.
    pub const ALL: Self = Self::USER.and(Self::KERNEL);

    /// In these modes and in those.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set with those modes, or without them.
    #[must_use]
    pub(crate) const fn set(self, modes: Self, is_in: bool) -> Self {
        if is_in { Self(self.0 | modes.0) } else { Self(self.0 & !modes.0) }
    }

    /// Does it count in this mode?
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, mode: Mode) -> bool {
        self.0 & 1 << mode as u8 != 0
    }

    /// Does it count in all the modes that `other` counts in?
    #[inline(always)]
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }
}

/// Events that most processors have, by a name that does not depend on the processor.
///
/// Each family's `events` says what it maps them to; one that has no such event refuses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Generic {
    /// Instructions retired.
    Instructions,
    /// Core clock cycles while not halted.
    Cycles,
    /// Cycles of a clock with a constant rate, while not halted.
    ReferenceCycles,
    /// Branch instructions retired.
    Branches,
    /// Branch instructions retired that were mispredicted.
    BranchMisses,
    /// References to the last-level cache.
    CacheReferences,
    /// Misses in the last-level cache.
    CacheMisses,
    /// Issue slots of the top-down method.
    Slots,
}

impl Generic {
    /// Every generic event.
    pub const ALL: [Self; 8] = [
        Self::Instructions,
        Self::Cycles,
        Self::ReferenceCycles,
        Self::Branches,
        Self::BranchMisses,
        Self::CacheReferences,
        Self::CacheMisses,
        Self::Slots,
    ];

    /// Its name, as the reports print it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Cycles => "cycles",
            Self::ReferenceCycles => "reference-cycles",
            Self::Branches => "branches",
            Self::BranchMisses => "branch-misses",
            Self::CacheReferences => "cache-references",
            Self::CacheMisses => "cache-misses",
            Self::Slots => "slots",
        }
    }
}

/// One thing that a counter can count: a generic event, or a processor's own code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// By the name that all processors share.
    Generic(Generic),
    /// By the processor's own code.
    Raw {
        /// The code, laid out as the family's `events` module says (x86: event | mask << 8).
        code: u64,
        /// The value of an auxiliary register that the code needs; 0 if it needs none.
        auxiliary: u64,
    },
}

impl Event {
    /// Instructions retired.
    pub const INSTRUCTIONS: Self = Self::Generic(Generic::Instructions);
    /// Core clock cycles while not halted.
    pub const CYCLES: Self = Self::Generic(Generic::Cycles);
    /// Cycles of a clock with a constant rate, while not halted.
    pub const REFERENCE_CYCLES: Self = Self::Generic(Generic::ReferenceCycles);
    /// Branch instructions retired.
    pub const BRANCHES: Self = Self::Generic(Generic::Branches);
    /// Branch instructions retired that were mispredicted.
    pub const BRANCH_MISSES: Self = Self::Generic(Generic::BranchMisses);
    /// References to the last-level cache.
    pub const CACHE_REFERENCES: Self = Self::Generic(Generic::CacheReferences);
    /// Misses in the last-level cache.
    pub const CACHE_MISSES: Self = Self::Generic(Generic::CacheMisses);
    /// Issue slots of the top-down method.
    pub const SLOTS: Self = Self::Generic(Generic::Slots);

    /// The event with this code of the processor's own.
    #[must_use]
    pub const fn raw(code: u64) -> Self {
        Self::Raw { code, auxiliary: 0 }
    }

    /// The event with this code, which needs `auxiliary` in a register beside the counter.
    #[must_use]
    pub const fn raw_with(code: u64, auxiliary: u64) -> Self {
        Self::Raw { code, auxiliary }
    }

    /// What it needs in a register beside the counter; 0 if it needs nothing.
    #[inline(always)]
    pub(crate) const fn auxiliary(self) -> u64 {
        match self {
            Self::Generic(_) => 0,
            Self::Raw { auxiliary, .. } => auxiliary,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generic(event) => f.write_str(event.name()),
            Self::Raw { code, auxiliary: 0 } => write!(f, "event {code:#x}"),
            Self::Raw { code, auxiliary } => write!(f, "event {code:#x} with {auxiliary:#x}"),
        }
    }
}

/// A yes-or-no refinement of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Flag {
    /// Count the cycles in which the condition begins, not those in which it holds.
    Edge,
    /// Count the cycles with fewer events than the threshold, not those with as many.
    Invert,
    /// Count the cycles with exactly as many events as the threshold.
    Equal,
    /// Count for every thread of the core.
    AnyThread,
    /// Toggle the processor's performance-monitoring pin at each event.
    PinControl,
    /// Count in the guests of this processor's hypervisor only.
    GuestOnly,
    /// Count outside the guests of this processor's hypervisor only.
    HostOnly,
}

impl Flag {
    /// Every flag, by its number in a set.
    pub const ALL: [Self; 7] =
        [Self::Edge, Self::Invert, Self::Equal, Self::AnyThread, Self::PinControl, Self::GuestOnly, Self::HostOnly];

    /// Its name, as errors print it.
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
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Flags(u16);

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);

    /// This set and one flag more.
    #[must_use]
    pub const fn with(self, flag: Flag) -> Self {
        Self(self.0 | 1 << flag as u8)
    }

    /// This set with that flag, or without it.
    #[must_use]
    pub(crate) const fn set(self, flag: Flag, is_in: bool) -> Self {
        if is_in { self.with(flag) } else { Self(self.0 & !(1 << flag as u16)) }
    }

    /// Is this flag in it?
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, flag: Flag) -> bool {
        self.0 & 1 << flag as u8 != 0
    }

    /// How many flags are in it?
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Is no flag in it?
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// A flag that is in this set and not in the other.
    #[must_use]
    pub fn beyond(self, other: Self) -> Option<Flag> {
        Flag::ALL.get((self.0 & !other.0).trailing_zeros() as usize).copied()
    }
}
