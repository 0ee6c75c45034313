//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately, so that a wrong code in either is found. It has
//! the events that are kinds of [`Work`](crate::virt::Work). The misses of the second level, which is the last, are those
//! of data loads alone: a host that observes them reports these.
//!
//! Sources: OpenSPARC T1's design, tlu_pib.v; OpenSPARC T2's, pmu_pct_ctl.v: the mask of the instructions' group has, from
//! its lowest bit up, branches, taken branches, FGU arithmetic, loads, stores, software counts, others and atomics.

use crate::arch::sparc::Half;
use crate::arch::sparc::niagara::{Pcr, PcrT1};
use crate::virt::{Kind, Source};

/// What a counter counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selection {
    /// Nothing: it holds its value.
    Nothing,
    /// A kind of work.
    Work(Kind),
    /// Something that is not a kind of work.
    Unknown,
}

impl Selection {
    /// Returns it as a place in the table of what counters count.
    pub(super) const fn source(self) -> Source {
        match self {
            Self::Nothing => Source::OWN,
            Self::Work(kind) => Source::of(kind),
            Self::Unknown => Source::UNTOLD,
        }
    }
}

/// Returns what a counter counts with this value of %pcr.
pub(super) const fn selection(is_t1: bool, half: Half, control: u64) -> Selection {
    match (is_t1, half) {
        (true, Half::Pic0) if PcrT1::from_bits_retain(control).select() == 7 => Selection::Work(Kind::CacheMisses),
        (true, Half::Pic0) => Selection::Unknown,
        (true, Half::Pic1) => Selection::Work(Kind::Instructions),
        (false, _) => of_group(Pcr::from_bits_retain(control).select(half)),
    }
}

/// The groups 1 and 8 and above, but the misses of translation buffers (BH), are unused.
const fn of_group(select: u16) -> Selection {
    match (select >> 8, select & 0xFF) {
        (0, _) => Selection::Unknown,
        (_, 0) | (1, _) => Selection::Nothing,
        (2, mask) => of_instructions(mask),
        (3, 0x20) => Selection::Work(Kind::CacheMisses),
        _ => Selection::Unknown,
    }
}

/// All instructions are those of every kind once: a taken branch is a branch.
const fn of_instructions(mask: u16) -> Selection {
    match mask {
        0xFD => Selection::Work(Kind::Instructions),
        0x01 => Selection::Work(Kind::Branches),
        0x02 => Selection::Work(Kind::TakenBranches),
        0x08 => Selection::Work(Kind::Loads),
        0x10 => Selection::Work(Kind::Stores),
        _ => Selection::Unknown,
    }
}
