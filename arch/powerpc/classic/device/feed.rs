//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately from the manuals, so that a wrong code in
//! either is found. It has the events that are kinds of [`Work`](crate::virt::Work). Completed instructions do not
//! include folded branches, which no host knows about.
//!
//! Sources: 604, tables 9-2 and 9-3; 604e, chapter 9, the same; "IBM PowerPC 750GX and 750GL RISC
//! Microprocessor User's Manual", tables 11-2 to 11-5; "MPC7400 RISC Microprocessor User's Manual", tables
//! 11-8 to 11-11; "MPC7450 RISC Microprocessor Family Reference Manual", chapter 11, "Event Selection",
//! compared with OProfile's events/ppc/7450/events (GPL data; numbers alone).

use crate::arch::powerpc::classic::Model;
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

/// Returns what counter `number`, 0 for PMC1, counts by this selector. PMC5 and PMC6 of the 7450 have only the
/// first of the common events.
pub(super) const fn selection(model: Model, number: usize, select: u8) -> Selection {
    match (number, select) {
        (_, 0) => Selection::Nothing,
        (_, 1) => Selection::Work(Kind::Cycles),
        (0..=3, 2) => Selection::Work(Kind::Instructions),
        _ => match own(model, number + 1, select) {
            Some(kind) => Selection::Work(kind),
            None => Selection::Unknown,
        },
    }
}

/// Returns the events that only one counter has, by the manual's number of the counter.
const fn own(model: Model, pmc: usize, select: u8) -> Option<Kind> {
    match (model, pmc, select) {
        (Model::P604 | Model::P604e, 1, 0x07) => Some(Kind::MispredictedBranches),
        (Model::P604 | Model::P604e, 2, 0x08) => Some(Kind::Branches),
        (Model::P604 | Model::P604e, 2, 0x12) => Some(Kind::Loads),
        (Model::P750, 4, 0x08) => Some(Kind::MispredictedBranches),
        (Model::P7400, 2, 0x0B) => Some(Kind::Loads),
        (Model::P7400, 3, 0x05) => Some(Kind::TakenBranches),
        (Model::P7400, 4, 0x05) => Some(Kind::MispredictedBranches),
        (Model::P745x, 1, 0x22) => Some(Kind::Branches),
        (Model::P745x, 1 | 2, 0x14) => Some(Kind::Stores),
        (Model::P745x, 4, 0x1C) => Some(Kind::MispredictedBranches),
        _ => None,
    }
}
