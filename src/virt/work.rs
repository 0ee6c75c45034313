//! What a processor does: kinds of work, amounts of it, and which of it a host observes.

use core::fmt;

use super::Filter;
use crate::event::{CounterId, Mode, Modes};

/// Something a processor does that counters can count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Kind {
    /// Instructions retired.
    Instructions,
    /// Cycles while not halted.
    Cycles,
    /// Cycles of the reference clock while not halted.
    ReferenceCycles,
    /// Branch instructions retired, taken or not.
    Branches,
    /// Branches that were taken.
    TakenBranches,
    /// Branches that were mispredicted.
    MispredictedBranches,
    /// Instructions that read memory.
    Loads,
    /// Instructions that wrote memory.
    Stores,
    /// Data references that cross the boundary that the processor's manual defines.
    MisalignedReferences,
    /// References to the last-level cache.
    CacheReferences,
    /// Misses in the last-level cache.
    CacheMisses,
    /// Issue slots of the top-down method that could have been filled.
    Slots,
}

impl Kind {
    /// The number of kinds.
    pub const COUNT: usize = 12;

    /// All kinds, in the order of [`Work`]'s table.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Instructions,
        Self::Cycles,
        Self::ReferenceCycles,
        Self::Branches,
        Self::TakenBranches,
        Self::MispredictedBranches,
        Self::Loads,
        Self::Stores,
        Self::MisalignedReferences,
        Self::CacheReferences,
        Self::CacheMisses,
        Self::Slots,
    ];
}

/// A set of kinds: those that the host of a device can observe.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Kinds(u64);

impl Kinds {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The kinds that a clock which ticks once an instruction can count: instructions, cycles and reference cycles, which
    /// [`Work::instructions`] reports together.
    pub const CLOCK: Self = Self::NONE.with(Kind::Instructions).with(Kind::Cycles).with(Kind::ReferenceCycles);

    /// Returns the set with this kind added.
    #[must_use]
    pub const fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// Returns the set with this kind removed.
    #[must_use]
    pub const fn without(self, kind: Kind) -> Self {
        Self(self.0 & !(1 << kind as u8))
    }

    /// Returns the kinds that are in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if the set has this kind.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Returns true if the set has all kinds of `other`.
    #[inline(always)]
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Says that a host which observes these kinds cannot tell in which mode the work was done.
    #[must_use]
    pub const fn of_all_modes_together(self) -> Observed {
        Observed { kinds: self, tells_modes: false, filter: Filter::NONE }
    }

    /// Says that a host which observes these kinds lets the guest count what passes the filter alone.
    #[must_use]
    pub const fn filtered(self, filter: Filter) -> Observed {
        Observed { kinds: self, tells_modes: true, filter }
    }

    /// Returns true if the sets have a kind in common.
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Kind::ALL.iter().filter(|&&kind| self.contains(kind))).finish()
    }
}

/// What the host of a device observes: kinds of work, whether it tells in which mode each was done, and what of it the
/// guest may count.
///
/// A host that advances a device by a clock, with the mode that the guest was in at the exit, does not tell modes apart
/// ([`Kinds::of_all_modes_together`]). Counters that count in some modes alone are [unfed](crate::virt::Device::unfed)
/// then. A set of kinds by itself says that the host does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observed {
    kinds: Kinds,
    tells_modes: bool,
    filter: Filter,
}

impl From<Kinds> for Observed {
    fn from(kinds: Kinds) -> Self {
        kinds.filtered(Filter::NONE)
    }
}

impl Observed {
    /// Returns the kinds.
    #[must_use]
    pub const fn kinds(self) -> Kinds {
        self.kinds
    }

    /// Returns true if the host tells modes apart.
    #[must_use]
    pub const fn tells_modes(self) -> bool {
        self.tells_modes
    }

    /// Says that the guest may count what passes the filter alone.
    #[must_use]
    pub const fn filtered(self, filter: Filter) -> Self {
        Self { filter, ..self }
    }

    /// Returns true if a counter that selects this may count.
    pub(super) fn lets(self, counter: CounterId, selection: Option<u64>) -> bool {
        self.filter.lets(counter, selection)
    }

    /// Returns true if a counter of this source, which counts in `modes` among all modes of its unit, is fed.
    pub(super) const fn feeds(self, source: Source, modes: Modes, all: Modes) -> bool {
        match source {
            Source::OWN => true,
            Source::UNTOLD => false,
            _ => self.kinds.covers(source.kinds()) && (self.tells_modes || modes.covers(all)),
        }
    }
}

/// What a counter counts of the work that is reported, as a place in [`Work`]'s table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Source(u8);

impl Source {
    /// Loads and stores together.
    pub(crate) const MEMORY: Self = Self(Kind::COUNT as u8);
    /// References to the last-level cache that did not miss.
    pub(crate) const CACHE_HITS: Self = Self(Kind::COUNT as u8 + 1);
    /// What the unit itself does, such as overflows of another counter: no work.
    pub(crate) const OWN: Self = Self(PLACES as u8 - 2);
    /// An event that is no kind of work.
    pub(crate) const UNTOLD: Self = Self(PLACES as u8 - 1);

    /// Returns the source of one kind.
    pub(crate) const fn of(kind: Kind) -> Self {
        Self(kind as u8)
    }

    /// Returns the source of a kind, or [`Self::UNTOLD`].
    pub(crate) const fn of_known(kind: Option<Kind>) -> Self {
        match kind {
            Some(kind) => Self::of(kind),
            None => Self::UNTOLD,
        }
    }

    /// Returns the kinds of work that feed it.
    pub(crate) const fn kinds(self) -> Kinds {
        match self {
            Self::MEMORY => Kinds::NONE.with(Kind::Loads).with(Kind::Stores),
            Self::CACHE_HITS => Kinds::NONE.with(Kind::CacheReferences).with(Kind::CacheMisses),
            Self(kind) if (kind as usize) < Kind::COUNT => Kinds(1 << kind),
            _ => Kinds::NONE,
        }
    }
}

/// The places of [`Work`]'s table: the kinds, their sums and differences, and the last two, which are always 0.
const PLACES: usize = 16;
const _: () = assert!(Kind::COUNT + 1 < PLACES - 2, "the sums and what is no work need places");

/// What the processor has done since the last report, in one mode: counts by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    mode: Mode,
    counts: [u64; PLACES],
}

impl Work {
    /// Creates a report of nothing, in this mode.
    #[must_use]
    pub const fn none(mode: Mode) -> Self {
        Self { mode, counts: [0; PLACES] }
    }

    /// Creates a report of `n` instructions, each of which takes one cycle of either clock.
    #[must_use]
    pub const fn instructions(mode: Mode, n: u64) -> Self {
        Self::none(mode).with(Kind::Instructions, n).with(Kind::Cycles, n).with(Kind::ReferenceCycles, n)
    }

    /// Sets the count of a kind.
    #[must_use]
    pub const fn with(mut self, kind: Kind, count: u64) -> Self {
        self.counts[kind as usize] = count;
        let [loads, stores] = [self.of(Kind::Loads), self.of(Kind::Stores)];
        self.counts[Source::MEMORY.0 as usize] = loads.wrapping_add(stores);
        let [references, misses] = [self.of(Kind::CacheReferences), self.of(Kind::CacheMisses)];
        self.counts[Source::CACHE_HITS.0 as usize] = references.saturating_sub(misses);
        self
    }

    /// Returns the mode.
    #[inline(always)]
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the count of a kind.
    #[inline(always)]
    #[must_use]
    pub const fn of(&self, kind: Kind) -> u64 {
        self.counts[kind as usize]
    }

    /// Returns how many events a counter of this source counts.
    #[inline(always)]
    pub(crate) const fn of_source(&self, source: Source) -> u64 {
        self.counts[source.0 as usize % PLACES]
    }
}
