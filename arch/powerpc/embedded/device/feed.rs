//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately from the manuals, so that a wrong number in
//! either is found. It has the events that are kinds of [`Work`](crate::virt::Work). e500 counts loads and stores as
//! micro-operations: a load or store with update has two of them, but a host counts one.
//!
//! Sources: "PowerPC e500 Core Family Reference Manual", section 7.7, table "Performance Monitor Event
//! Selection"; "e300 Power Architecture Core Family Reference Manual", the same; compared with OProfile's
//! events/ppc/{e300,e500}/events (GPL data; numbers alone).

use crate::arch::powerpc::embedded::Model;
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

/// Returns what every counter of this core counts by this event.
pub(super) const fn selection(model: Model, event: u8) -> Selection {
    let has_translation = !matches!(model, Model::E300);
    match event {
        0 => Selection::Nothing,
        1 => Selection::Work(Kind::Cycles),
        2 => Selection::Work(Kind::Instructions),
        8 => Selection::Work(Kind::Branches),
        9 => Selection::Work(Kind::Loads),
        10 => Selection::Work(Kind::Stores),
        13 => Selection::Work(Kind::TakenBranches),
        15 => Selection::Work(Kind::MispredictedBranches),
        34 if has_translation => Selection::Work(Kind::MisalignedReferences),
        _ => Selection::Unknown,
    }
}
