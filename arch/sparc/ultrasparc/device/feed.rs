//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately, so that a wrong code in either is found. It has
//! the events that are kinds of [`Work`](crate::virt::Work). Loads and stores are those that refer to the data cache:
//! a host that reports others, as those of device registers, counts too many. The last-level cache is the external one, and
//! IV+'s third level.
//!
//! Sources: libpfm4, lib/events/sparc_ultra*_events.h (MIT), whose descriptions say what is counted: "Accumulated
//! cycles", "Number of instructions completed", "D-cache read references", "D-cache write references", "Total E-cache
//! references", "Total E-cache references hits", "E-cache misses", "Retired taken branches", "software-generated occurrences".

use crate::arch::sparc::Half;
use crate::arch::sparc::ultrasparc::Model;
use crate::virt::{Kind, Source};

/// What a counter counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selection {
    /// Nothing: it holds its value.
    Nothing,
    /// A kind of work.
    Work(Kind),
    /// Hits in the external cache.
    Hits,
    /// Something that is not a kind of work.
    Unknown,
}

impl Selection {
    /// Returns it as a place in the table of what counters count.
    pub(super) const fn source(self) -> Source {
        match self {
            Self::Nothing => Source::OWN,
            Self::Work(kind) => Source::of(kind),
            Self::Hits => Source::CACHE_HITS,
            Self::Unknown => Source::UNTOLD,
        }
    }
}

/// Returns what a counter counts by this selector.
pub(super) const fn selection(model: Model, half: Half, select: u8) -> Selection {
    use Half::{Pic0, Pic1};
    use Model::{Ultra4Plus, Ultra12};
    match (model, half, select) {
        (_, _, 0x00) => Selection::Work(Kind::Cycles),
        (_, _, 0x01) => Selection::Work(Kind::Instructions),
        (_, Pic0, 0x09) => Selection::Work(Kind::Loads),
        (Ultra4Plus, Pic1, 0x03) => Selection::Work(Kind::Stores),
        (Ultra4Plus, Pic0, 0x0A) => Selection::Unknown,
        (_, Pic0, 0x0A) => Selection::Work(Kind::Stores),
        (Ultra4Plus, Pic1, 0x31) => Selection::Work(Kind::CacheMisses),
        (Ultra4Plus, _, 0x0C) => Selection::Unknown,
        (_, Pic0, 0x0C) => Selection::Work(Kind::CacheReferences),
        (Ultra12, Pic1, 0x0C) => Selection::Hits,
        (_, Pic1, 0x0C) => Selection::Work(Kind::CacheMisses),
        (Ultra12, _, _) => Selection::Unknown,
        (_, Pic0, 0x14) | (_, Pic1, 0x1C) => Selection::Nothing,
        (Ultra4Plus, Pic0, 0x16) => Selection::Unknown,
        (Ultra4Plus, Pic1, 0x1E) | (_, Pic0, 0x16) => Selection::Work(Kind::TakenBranches),
        _ => Selection::Unknown,
    }
}
