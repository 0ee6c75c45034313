//! What makes a counter count: from the event in its PMLCa to the work that the host reports.
//!
//! The driver has tables of its own. This one is written for the other side, from the manuals and not
//! from the driver's, so that a wrong number in either shows. It has the events of which a
//! [`Work`](crate::virt::Work) speaks; loads and stores are those of e500's micro-operations, which a
//! load or store with update has two of and a host one.
//!
//! Sources: "PowerPC e500 Core Family Reference Manual", section 7.7, table "Performance Monitor Event
//! Selection"; "e300 Power Architecture Core Family Reference Manual", the same; compared with OProfile's
//! events/ppc/{e300,e500}/events (GPL data; numbers alone).

use crate::arch::powerpc::embedded::Core;
use crate::virt::Kind;

/// What a counter counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selection {
    /// Nothing: it holds its value.
    Nothing,
    /// Work of this kind.
    Work(Kind),
    /// Something that no work says.
    Unknown,
}

impl Selection {
    /// What of the host's work it counts.
    #[inline(always)]
    pub(super) const fn kind(self) -> Option<Kind> {
        match self {
            Self::Work(kind) => Some(kind),
            Self::Nothing | Self::Unknown => None,
        }
    }
}

/// What any counter of this core counts by this event.
pub(super) const fn selection(core: Core, event: u8) -> Selection {
    let has_translation = !matches!(core, Core::E300);
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
