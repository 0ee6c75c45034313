//! Events: generic ones, and those with a processor's own code.

use core::fmt;

/// Events that most processors have, by names that do not depend on the processor.
///
/// Each family's `events` says which of its events they are, and `docs/tables.md` in the repository where they differ
/// from Linux's and PAPI's. A family that lacks an event refuses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
    /// References to the last-level cache, or to the first level where the family's `events` says so.
    CacheReferences,
    /// Misses in the same cache.
    CacheMisses,
    /// Issue slots of the top-down method.
    Slots,
}

impl Generic {
    /// All generic events.
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

    /// Returns the event's name, as reports print it.
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

/// An event: a generic one, or one with a processor's own code. Generic events come first, and others are in the order of
/// their codes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A generic event.
    Generic(Generic),
    /// An event with the processor's own code.
    Raw {
        /// The code, in the layout that the family's `events` module describes (x86: event | mask << 8).
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

    /// Creates an event with this code of the processor's own.
    #[must_use]
    pub const fn raw(code: u64) -> Self {
        Self::Raw { code, auxiliary: 0 }
    }

    /// Creates an event with this code, which needs the value `auxiliary` in an auxiliary register.
    #[must_use]
    pub const fn raw_with(code: u64, auxiliary: u64) -> Self {
        Self::Raw { code, auxiliary }
    }

    /// Returns the value that it needs in an auxiliary register; 0 if it needs none.
    #[inline(always)]
    pub(crate) const fn auxiliary(self) -> u64 {
        match self {
            Self::Generic(_) => 0,
            Self::Raw { auxiliary, .. } => auxiliary,
        }
    }
}

impl fmt::Display for Generic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
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
