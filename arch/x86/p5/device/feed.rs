//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. This one was written separately from the manual, so that a wrong code in either is
//! found. It has the events that count what the processor executed, its cycles, and its data cache. Reads and writes of
//! data are accesses and not instructions, and no kind of [`Work`](crate::virt::Work).
//!
//! Source: SDM vol. 3, "Pentium Processor Performance Monitoring Events", table "Events That Can Be Counted with Pentium
//! Processor Performance-Monitoring Counters".

use crate::arch::x86::p5::Select;
use crate::event::CounterId;
use crate::virt::Kind;

/// The kinds of work that the processor's events count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feed {
    has_mmx: bool,
}

impl Feed {
    pub(super) fn new(has_mmx: bool) -> Self {
        Self { has_mmx }
    }

    /// Returns what a counter with this selection counts, or `None` if it is not a kind of work. Event 30H counts clocks
    /// whether or not it is asked for clocks: it lasts as long as it counts.
    pub(super) fn kind(&self, counter: CounterId, select: Select) -> Option<Kind> {
        let kind = self.known(counter, select.event())?;
        (kind == Kind::Cycles || !select.contains(Select::CLOCKS)).then_some(kind)
    }

    fn known(&self, counter: CounterId, event: u8) -> Option<Kind> {
        match (event, counter.number()) {
            (0x0B, _) => Some(Kind::MisalignedReferences),
            (0x12, _) => Some(Kind::Branches),
            (0x16, _) => Some(Kind::Instructions),
            (0x28, _) => Some(Kind::CacheReferences),
            (0x29, _) => Some(Kind::CacheMisses),
            (0x30, 0) if self.has_mmx => Some(Kind::Cycles),
            (0x32, 1) if self.has_mmx => Some(Kind::TakenBranches),
            (0x35, 0) if self.has_mmx => Some(Kind::MispredictedBranches),
            _ => None,
        }
    }
}
