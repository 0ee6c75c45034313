//! A processor's events by name, as data: what strings are read with, lists are printed from, and
//! requests are checked against.
//!
//! A [`Catalogue`] is a constant of the processor's family. It names events and unit masks, says
//! which counters have an event and how often it may interrupt, and what the attributes of a
//! notation mean. Nothing here touches a unit: whoever counts by codes needs none of it.

mod order;

use crate::counter::CounterSet;
use crate::event::{Event, Flag, Modes, Repeat, Request, Sampling};

pub use order::compare;

/// The events of a processor.
#[derive(Debug)]
pub struct Catalogue {
    /// The unit's name before `::`, and the processor's for OProfile.
    pub unit: &'static str,
    /// The events, sorted by name ([`compare`]); names are of ASCII, with `.` and without `:`.
    pub events: &'static [NamedEvent],
    /// The generic events by their PAPI names in lower case, sorted alike.
    pub generic: &'static [GenericEvent],
    /// Where a code holds the unit mask.
    pub mask: MaskField,
    /// The attributes of cputrack and cpustat.
    pub attributes: &'static [Attribute],
    /// The modifiers of libpfm.
    pub modifiers: &'static [Attribute],
    /// What is profiled if nobody says what, by its name in [`Catalogue::events`].
    pub default: &'static str,
}

/// An event that has a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedEvent {
    /// Its name, as the vendor writes it.
    pub name: &'static str,
    /// Its code, with no unit mask if [`NamedEvent::masks`] has any.
    pub code: u64,
    /// The counters that have it.
    pub counters: CounterSet,
    /// Its unit masks.
    pub masks: UnitMasks,
    /// The shortest period that OProfile lets it interrupt with; 0 if nobody says.
    pub least: u64,
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

/// The unit masks of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnitMasks {
    /// What can be chosen.
    pub kind: MaskKind,
    /// What is chosen if nobody says what.
    pub default: u64,
    /// Those that have names, sorted by value.
    pub named: &'static [UnitMask],
}

/// How unit masks can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MaskKind {
    /// The code says it all.
    None,
    /// The one there is.
    Mandatory,
    /// One of those there are.
    Exclusive,
    /// Any of those there are, together.
    Bitmask,
    /// Any number: nobody has listed them.
    Unlisted,
}

/// A unit mask that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnitMask {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
}

/// A word of a notation that refines a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The word.
    pub name: &'static str,
    /// What it does.
    pub effect: Effect,
    /// The largest value it takes; 1 if it is on or off.
    pub largest: u64,
}

/// What an attribute does to a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Effect {
    /// Replaces the unit mask.
    UnitMask,
    /// Compares the events of a cycle with a threshold.
    Threshold,
    /// Sets a flag.
    Flag(Flag),
    /// Clears a flag that is set unless it is given.
    NoFlag(Flag),
    /// Counts in user programs.
    User,
    /// Counts in the kernel.
    Kernel,
    /// Counts in a hypervisor.
    Hypervisor,
    /// Interrupts each so many events.
    Period,
}

impl UnitMasks {
    /// An event without unit masks.
    pub const NONE: Self = Self { kind: MaskKind::None, default: 0, named: &[] };
    /// An event whose unit masks nobody has listed.
    pub const UNLISTED: Self = Self { kind: MaskKind::Unlisted, default: 0, named: &[] };

    /// The named mask's value.
    #[must_use]
    pub fn value_of(&self, name: &str) -> Option<u64> {
        self.named.iter().find(|mask| mask.name.eq_ignore_ascii_case(name)).map(|mask| mask.value)
    }

    /// Can this mask be chosen?
    #[must_use]
    pub fn allows(&self, mask: u64) -> bool {
        let listed = || self.named.iter().any(|entry| entry.value == mask);
        match self.kind {
            MaskKind::None => mask == 0,
            MaskKind::Mandatory => mask == self.default,
            MaskKind::Exclusive => listed(),
            MaskKind::Bitmask => mask & !self.all() == 0 && (mask != 0 || listed()),
            MaskKind::Unlisted => true,
        }
    }

    fn all(&self) -> u64 {
        self.named.iter().fold(0, |all, mask| all | mask.value)
    }
}

impl NamedEvent {
    /// An event whose code says it all.
    #[must_use]
    pub const fn new(name: &'static str, code: u64, counters: CounterSet) -> Self {
        Self { name, code, counters, masks: UnitMasks::NONE, least: 0 }
    }
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
        mask: MaskField::NONE,
        attributes: &[],
        modifiers: &[],
        default: "",
    };

    /// The event with this name, upper and lower case alike.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&'static NamedEvent> {
        self.named_by(name.as_bytes())
    }

    /// The generic event with this PAPI name, upper and lower case alike.
    #[must_use]
    pub fn generic(&self, name: &str) -> Option<&'static GenericEvent> {
        self.generic_by(name.as_bytes())
    }

    pub(crate) fn named_by(&self, name: &[u8]) -> Option<&'static NamedEvent> {
        order::find(self.events, |event| event.name, name)
    }

    pub(crate) fn generic_by(&self, name: &[u8]) -> Option<&'static GenericEvent> {
        order::find(self.generic, |event| event.name, name)
    }

    /// The event with the longest name that a text begins with, up to its end or to a `.` or `:`.
    pub(crate) fn named_longest(&self, text: &[u8]) -> Option<&'static NamedEvent> {
        order::find_longest(self.events, |event| event.name, text)
    }

    /// The generic event with the longest such name.
    pub(crate) fn generic_longest(&self, text: &[u8]) -> Option<&'static GenericEvent> {
        order::find_longest(self.generic, |event| event.name, text)
    }

    /// The event that a code belongs to, and the unit mask that is chosen of it: the one with just
    /// this code, or else the one that has such a mask.
    #[must_use]
    pub fn of_code(&self, code: u64) -> Option<(&'static NamedEvent, u64)> {
        let (bare, mask) = (self.mask.put(code, 0), self.mask.of(code));
        let exact = |event: &&NamedEvent| event.code == code && event.masks.allows(0);
        let masked = |event: &&NamedEvent| event.code == bare && event.masks.allows(mask);
        let exact = self.events.iter().find(exact).map(|event| (event, 0));
        exact.or_else(|| self.events.iter().find(masked).map(|event| (event, mask)))
    }

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
        Event::raw(self.mask.put(named.code, named.masks.default | self.mask.of(named.code)))
    }
}

impl Effect {
    /// The request with this attribute at this value.
    #[must_use]
    pub fn apply(self, request: Request, value: u64, mask: MaskField) -> Request {
        match (self, request.event) {
            (Self::UnitMask, Event::Raw { code, auxiliary }) => {
                Request { event: Event::Raw { code: mask.put(code, value), auxiliary }, ..request }
            }
            (Self::UnitMask, Event::Generic(_)) => request,
            (Self::Threshold, _) => Request { threshold: u8::try_from(value).unwrap_or(u8::MAX), ..request },
            (Self::Flag(flag), _) => Request { flags: request.flags.set(flag, value != 0), ..request },
            (Self::NoFlag(flag), _) => Request { flags: request.flags.set(flag, value == 0), ..request },
            (Self::User, _) => request.modes(request.modes.set(Modes::USER, value != 0)),
            (Self::Kernel, _) => request.modes(request.modes.set(Modes::KERNEL, value != 0)),
            (Self::Hypervisor, _) => request.modes(request.modes.set(Modes::HYPERVISOR, value != 0)),
            (Self::Period, _) => {
                Request { sampling: Some(Sampling { period: value, repeat: Repeat::Continuous }), ..request }
            }
        }
    }

    /// The value that makes a request what it is; `None` if the attribute need not be given.
    #[must_use]
    pub fn value_in(self, request: &Request, chosen_mask: u64) -> Option<u64> {
        let value = match self {
            Self::UnitMask => chosen_mask,
            Self::Threshold => request.threshold.into(),
            Self::Flag(flag) => request.flags.contains(flag).into(),
            Self::NoFlag(flag) => (!request.flags.contains(flag)).into(),
            Self::User => request.modes.covers(Modes::USER).into(),
            Self::Kernel => request.modes.covers(Modes::KERNEL).into(),
            Self::Hypervisor => request.modes.covers(Modes::HYPERVISOR).into(),
            Self::Period => request.sampling.map_or(0, |sampling| sampling.period),
        };
        (value != 0).then_some(value)
    }
}
