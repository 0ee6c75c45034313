//! Finds the kind of work that a counter counts.
//!
//! The driver has tables of its own. These were written separately from the manual, so that a wrong code in
//! either is found.

use crate::arch::x86::device;
use crate::arch::x86::intel::{Architectural, FixedControl, Select};
use crate::event::{CounterId, Event, Modes};
use crate::virt::Kind;

/// The events that CPUID announces: event | mask << 8 (SDM vol. 3, table "Pre-defined Architectural Performance
/// Events").
pub(in super::super) const ARCHITECTURAL: [(u64, Architectural, Kind); 8] = [
    (0x003C, Architectural::CYCLES, Kind::Cycles),
    (0x00C0, Architectural::INSTRUCTIONS, Kind::Instructions),
    (0x013C, Architectural::REFERENCE_CYCLES, Kind::ReferenceCycles),
    (0x4F2E, Architectural::CACHE_REFERENCES, Kind::CacheReferences),
    (0x412E, Architectural::CACHE_MISSES, Kind::CacheMisses),
    (0x00C4, Architectural::BRANCHES, Kind::Branches),
    (0x00C5, Architectural::BRANCH_MISSES, Kind::MispredictedBranches),
    (0x01A4, Architectural::SLOTS, Kind::Slots),
];

/// What the fixed counters count (SDM vol. 3, table "Association of Fixed-Function Performance
/// Counters with Architectural Performance Events").
pub(in super::super) const FIXED: [Kind; 4] = [Kind::Instructions, Kind::Cycles, Kind::ReferenceCycles, Kind::Slots];

/// Returns what a fixed counter counts, as a generic event.
pub(super) fn event_of_fixed(id: CounterId) -> Option<Event> {
    [Event::INSTRUCTIONS, Event::CYCLES, Event::REFERENCE_CYCLES, Event::SLOTS]
        .get(usize::from(id.number() & 31))
        .copied()
}

/// The events of the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feed {
    events: Architectural,
    own_events: &'static [(u64, Kind)],
}

impl Feed {
    pub(super) fn new(events: Architectural, own_events: &'static [(u64, Kind)]) -> Self {
        Self { events, own_events }
    }

    /// Returns what a fixed counter counts, or `None` if it is not a kind of work.
    pub(super) fn kind_of_fixed(id: CounterId) -> Option<Kind> {
        FIXED.get(usize::from(id.number() & 31)).copied()
    }

    /// Returns what a general counter with this selector counts, or `None` if it is not a kind of work.
    pub(super) fn kind(&self, select: Select) -> Option<Kind> {
        let kind = self.kind_of_code(select.code())?;
        is_plain(select, kind).then_some(kind)
    }

    fn kind_of_code(&self, code: u64) -> Option<Kind> {
        match ARCHITECTURAL.iter().find(|&&(known, ..)| known == code) {
            Some(&(_, event, kind)) => self.events.contains(event).then_some(kind),
            None => self.own_events.iter().find(|&&(known, _)| known == code).map(|&(_, kind)| kind),
        }
    }
}

/// Returns true if the selector counts each event once. EQ without a threshold counts the cycles without events.
fn is_plain(select: Select, kind: Kind) -> bool {
    let asks_for_none = select.contains(Select::EQUAL) && select.threshold() == 0;
    !asks_for_none && device::is_plain(select.bits(), kind)
}

/// Returns the modes in which a fixed counter with this control counts.
pub(super) fn modes_of_fixed(control: FixedControl) -> Modes {
    device::modes_of(control.contains(FixedControl::USER), control.contains(FixedControl::KERNEL))
}
