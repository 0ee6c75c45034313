//! A processor's events by name, as data: what strings are read with, lists are printed from, and
//! requests are checked against.
//!
//! A [`Catalogue`] is a constant of the processor's family. It names events and unit masks, says
//! which counters have an event and how often it may interrupt, and what the attributes of a
//! notation mean. Nothing here touches a unit: whoever counts by codes needs none of it.

mod attribute;
mod find;
mod group;
mod merge;
mod named;
mod order;
mod preset;

use crate::counter::CounterSet;
use crate::event::{Event, Modes, Request};

pub use attribute::{Attribute, Effect};
pub use group::{Grouped, Groups, NoGroup, Place};
pub use merge::merged;
pub use named::{MaskKind, NamedEvent, UnitMask, UnitMasks};
pub use order::compare;
pub use preset::Preset;

/// The events of a processor.
#[derive(Debug)]
pub struct Catalogue {
    /// The unit's name before `::`, and the processor's for OProfile.
    pub unit: &'static str,
    /// The events, sorted by name ([`compare`]); names are of letters, `_`, and what ASCII has before `?`, without
    /// `:`.
    pub events: &'static [NamedEvent],
    /// The generic events by their PAPI names in lower case, sorted alike.
    pub generic: &'static [GenericEvent],
    /// The generic events that are made of the processor's own, sorted alike.
    pub presets: &'static [Preset],
    /// Where the events stand in the groups that the processor's lists have.
    pub groups: Groups,
    /// Where a code holds the unit mask.
    pub mask: MaskField,
    /// The attributes of cputrack and cpustat.
    pub attributes: &'static [Attribute],
    /// The modifiers of libpfm.
    pub modifiers: &'static [Attribute],
    /// What is profiled if nobody says what, by its name in [`Catalogue::events`].
    pub default: &'static str,
}

/// An event by the name that many processors share, in PAPI's spelling.
#[derive(Clone, Copy, Debug)]
pub struct GenericEvent {
    /// Its name in lower case: `papi_tot_cyc`.
    pub name: &'static str,
    /// What it is here.
    pub event: Event,
}

/// Where a family's code holds the unit mask; no bits if it has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaskField {
    /// The number of its lowest bit.
    pub shift: u32,
    /// The largest mask.
    pub largest: u64,
}

impl MaskField {
    /// Codes have no unit mask.
    pub const NONE: Self = Self { shift: 0, largest: 0 };

    /// The code with this unit mask in place of its own.
    #[must_use]
    pub const fn put(self, code: u64, mask: u64) -> u64 {
        code & !(self.largest << self.shift) | (mask & self.largest) << self.shift
    }

    /// The code's unit mask.
    #[must_use]
    pub const fn of(self, code: u64) -> u64 {
        code >> self.shift & self.largest
    }
}

impl Catalogue {
    /// A catalogue in which nothing has a name.
    pub const EMPTY: Self = Self {
        unit: "",
        events: &[],
        generic: &[],
        presets: &[],
        groups: Groups::NONE,
        mask: MaskField::NONE,
        attributes: &[],
        modifiers: &[],
        default: "",
    };

    /// The events that this counter has: all of them, one after the other.
    pub fn events_of(&self, counters: CounterSet) -> impl Iterator<Item = &'static NamedEvent> {
        self.events.iter().filter(move |event| !event.counters.and(counters).is_empty())
    }

    /// What is profiled if nobody says what.
    #[must_use]
    pub fn default_event(&self) -> Option<&'static NamedEvent> {
        self.named(self.default)
    }

    /// An event with its default unit mask, in the code's layout.
    #[must_use]
    pub const fn event(&self, named: &NamedEvent) -> Event {
        let default = (named.masks.default & self.mask.largest) << self.mask.shift;
        Event::raw_with(named.code | default, named.auxiliary)
    }

    /// A request for an event: with its default unit mask, the flags, the threshold and the auxiliary
    /// value that are part of it, and on the counters that have it.
    #[must_use]
    pub const fn request(&self, named: &NamedEvent) -> Request {
        let (event, flags, threshold, counters) = (self.event(named), named.flags, named.threshold, named.kept_to);
        Request { event, modes: Modes::ALL, flags, threshold, sampling: None, counters }
    }
}
