//! A processor's events by name, as data. Notations look names up in it, lists are printed from it, and
//! requests are checked against it.
//!
//! A [`Catalogue`] is a constant of the processor's family. It names events and unit masks, and says
//! which counters have an event, how often the event may interrupt, and what the attributes of a notation
//! mean. No register is accessed. A kernel that requests events by code does not need a catalogue, and neither does one that
//! names them in constants ([`Catalogue::constant`]).
//!
//! The tables of each vendor's processors have a feature, `events-` and the vendor. All are on by default, because a table that
//! is not used is not linked.
//! Without its feature a catalogue has no events of the processor's own; the generic events remain.

// The tests pack tables of their own.
#[cfg(test)]
#[path = "../../xtask/src/events/pack.rs"]
mod pack;
#[cfg(test)]
#[path = "../../xtask/src/events/text.rs"]
mod text;

mod attribute;
mod constant;
mod cost;
mod event_name;
mod events;
mod find;
mod group;
mod hash;
mod marks;
mod name;
mod named;
mod order;
mod papi;
mod preset;
mod search;
mod table;

use crate::event::{CounterSet, Event, Request};

pub use attribute::{Attribute, Effect};
pub use cost::{Cost, CostUnit};
pub use event_name::{EventName, Text};
pub use events::Events;
pub use group::{GroupPlace, Groups, NoGroup};
pub use marks::Marks;
pub use name::Name;
pub(crate) use name::Number;
pub use named::{MaskKind, MaskNames, NamedEvent, UnitMask, UnitMasks};
pub use preset::{Preset, PresetTerm, Presets};
pub(crate) use search::position;
pub use table::Table;

/// The events of a processor.
#[derive(Debug)]
pub struct Catalogue {
    /// The processor's name for OProfile, which is accepted before `::`.
    pub unit: &'static str,
    /// libpfm's names of the unit. All are accepted before `::`, and the first is printed.
    pub aliases: &'static [&'static str],
    /// The events, sorted by name ([`EventName::compare`]). Names consist of letters, `_`, and the ASCII characters before
    /// `?` except `:`.
    pub events: Events,
    /// libpfm's names of events, as far as [`Catalogue::events`] does not have them, sorted in the same way. All notations
    /// accept them, and libpfm's prints them.
    pub libpfm: Events,
    /// The generic events by their PAPI names in lower case, sorted in the same way.
    pub generic: &'static [GenericEvent],
    /// Further generic events, each of which is one of the processor's own or made of several.
    pub presets: Presets,
    /// Other names of events, which all notations accept too. Nothing is printed with them.
    pub other_names: &'static [OtherName],
    /// Other first words of names, each with the one that [`Catalogue::events`] has: of perf's
    /// `OFFCORE_RESPONSE.DEMAND_RFO.ANY_RESPONSE` this is `OFFCORE_RESPONSE`. All notations accept them.
    pub first_words: &'static [(&'static str, &'static str)],
    /// The groups of the processor's lists.
    pub groups: Groups,
    /// The position of the unit mask in a code.
    pub mask: MaskField,
    /// The parts of an auxiliary value that libpfm's names can combine: the bits of the requests, of who responds, and of
    /// snoops. All are 0 if none can.
    pub parts: [u64; 3],
    /// The attributes of cputrack and cpustat.
    pub attributes: &'static [Attribute],
    /// The modifiers of libpfm.
    pub modifiers: &'static [Attribute],
    /// The event that is profiled by default, by its name in [`Catalogue::events`].
    pub default: &'static str,
    /// What one occurrence of some of the events costs, if the manufacturer says so.
    pub costs: &'static [(&'static str, Cost)],
}

/// An event that many processors have, by its PAPI name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GenericEvent {
    /// Its name in lower case: `papi_tot_cyc`.
    pub name: &'static str,
    /// The event that it is on this processor.
    pub event: Event,
    /// The counters that have the event, as far as the processor has them. Of a code that [`Catalogue::events`] lists, the
    /// line says the same.
    pub counters: CounterSet,
}

impl GenericEvent {
    /// A generic event that is on every counter, or on those that the line of its code names.
    #[must_use]
    pub const fn new(name: &'static str, event: Event) -> Self {
        Self { name, event, counters: CounterSet::from_bits(u64::MAX) }
    }

    /// Limits it to these counters, one bit each.
    #[must_use]
    pub const fn on(mut self, counters: u64) -> Self {
        self.counters = CounterSet::from_bits(counters);
        self
    }
}

/// Another name of an event: another system's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherName {
    /// The name.
    pub name: &'static str,
    /// The code of the event. If one of [`Catalogue::events`] has this code, the name is that event's, with its unit
    /// masks.
    pub code: u64,
}

/// The position of the unit mask in a family's codes. It has no bits if codes have no unit mask.
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

    /// Replaces the unit mask of a code.
    #[must_use]
    pub const fn put(self, code: u64, mask: u64) -> u64 {
        code & !(self.largest << self.shift) | (mask & self.largest) << self.shift
    }

    /// Returns the unit mask of a code.
    #[must_use]
    pub const fn of(self, code: u64) -> u64 {
        code >> self.shift & self.largest
    }
}

impl Catalogue {
    /// A catalogue without events.
    pub const EMPTY: Self = Self {
        unit: "",
        aliases: &[],
        events: Events::NONE,
        libpfm: Events::NONE,
        generic: &[],
        presets: Presets::NONE,
        other_names: &[],
        first_words: &[],
        groups: Groups::NONE,
        mask: MaskField::NONE,
        parts: [0; 3],
        attributes: &[],
        modifiers: &[],
        default: "",
        costs: &[],
    };

    /// Sets the other names of the events.
    #[must_use]
    pub const fn with_other_names(mut self, names: &'static [OtherName]) -> Self {
        self.other_names = names;
        self
    }

    /// Sets libpfm's names of the events.
    #[must_use]
    pub const fn with_libpfm(mut self, table: &'static Table) -> Self {
        self.libpfm = Events::of(table);
        self
    }

    /// Sets the generic events that are made of the processor's own.
    #[must_use]
    pub const fn with_presets(mut self, presets: Presets) -> Self {
        self.presets = presets;
        self
    }

    /// Sets the other names of the unit.
    #[must_use]
    pub const fn also(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Sets the costs of events.
    #[must_use]
    pub const fn costing(mut self, costs: &'static [(&'static str, Cost)]) -> Self {
        self.costs = costs;
        self
    }

    /// Returns true if this is the unit's name, one of its other names, or its name without what stands before the `/`,
    /// which is perf's. Case does not matter.
    #[must_use]
    pub fn is_unit(&self, name: &str) -> bool {
        let short = self.unit.split_once('/').map(|(_, short)| short);
        [self.unit].iter().chain(&short).chain(self.aliases).any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Returns the events that at least one of these counters has.
    pub fn events_of(&self, counters: CounterSet) -> impl Iterator<Item = NamedEvent> {
        self.events.iter().filter(move |event| !event.counters.and(counters).is_empty())
    }

    /// Returns all names: those of the processor's own events, libpfm's, and those of the generic ones.
    pub(crate) fn names(&self) -> impl Iterator<Item = EventName> {
        let own = self.events.iter().chain(self.libpfm).map(|event| event.name);
        let generic = self.generic.iter().map(|event| event.name);
        let others = self.other_names.iter().map(|other| other.name);
        let further = generic.chain(self.presets.iter().map(|preset| preset.name)).chain(others);
        own.chain(further.map(EventName::new))
    }

    /// Returns the event that is profiled by default.
    #[must_use]
    pub fn default_event(&self) -> Option<NamedEvent> {
        self.named(self.default)
    }

    /// Returns an event with its default unit mask.
    #[must_use]
    pub const fn event(&self, named: NamedEvent) -> Event {
        let default = (named.masks.default & self.mask.largest) << self.mask.shift;
        Event::raw_with(named.code | default, named.auxiliary)
    }

    /// Returns a request for an event: with its default unit mask and the flags, threshold and auxiliary value
    /// that are part of it, and on the counters that have it.
    ///
    /// The request keeps the event's name, if the event is one of this catalogue. A thread that comes to another
    /// kind of unit finds its event by that name ([`Context::bind_by_name`](crate::Context::bind_by_name)).
    #[inline]
    #[must_use]
    pub fn request(&'static self, named: NamedEvent) -> Request {
        let (flags, threshold, counters, name) = (named.flags, named.threshold, named.kept_to, self.name_of(named));
        Request { flags, threshold, counters, name, ..Request::new(self.event(named)) }
    }

    /// Returns a request for a generic event, which keeps the name.
    pub(crate) fn generic_request(&'static self, generic: &GenericEvent) -> Request {
        Request { name: self.name_of_generic(generic), ..Request::new(generic.event) }
    }
}
