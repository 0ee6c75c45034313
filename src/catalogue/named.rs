//! An event by its name: its code, what is part of it beside the code, and its unit masks.

use super::Effect;
use crate::counter::CounterSet;
use crate::event::{Flag, Flags, Request};

/// An event that has a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedEvent {
    /// Its name, as the vendor writes it.
    pub name: &'static str,
    /// Its code, with no unit mask if [`NamedEvent::masks`] has any.
    pub code: u64,
    /// The value of an auxiliary register that the code needs; 0 if it needs none.
    pub auxiliary: u64,
    /// The flags that are part of the event.
    pub flags: Flags,
    /// The threshold that is part of the event; 0 if none is.
    pub threshold: u8,
    /// The counters that have it.
    pub counters: CounterSet,
    /// The counters that a request for it is kept to: all, where the code itself says enough.
    pub kept_to: CounterSet,
    /// Its unit masks.
    pub masks: UnitMasks,
    /// The shortest period that OProfile lets it interrupt with; 0 if nobody says.
    pub least: u64,
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

impl NamedEvent {
    /// An event whose code says it all.
    #[must_use]
    pub const fn new(name: &'static str, code: u64, counters: CounterSet) -> Self {
        Self {
            name,
            code,
            auxiliary: 0,
            flags: Flags::NONE,
            threshold: 0,
            counters,
            kept_to: CounterSet::ALL,
            masks: UnitMasks::NONE,
            least: 0,
        }
    }

    /// The event with this code on these counters, whatever the same code counts on others.
    #[must_use]
    pub const fn only_on(name: &'static str, code: u64, counters: CounterSet) -> Self {
        Self { kept_to: counters, ..Self::new(name, code, counters) }
    }

    /// With this value in an auxiliary register.
    #[must_use]
    pub const fn beside(mut self, auxiliary: u64) -> Self {
        self.auxiliary = auxiliary;
        self
    }

    /// Of the cycles with at least so many events.
    #[must_use]
    pub const fn threshold(mut self, events: u8) -> Self {
        self.threshold = events;
        self
    }

    /// With this flag.
    #[must_use]
    pub const fn flag(mut self, flag: Flag) -> Self {
        self.flags = self.flags.with(flag);
        self
    }

    /// Does it ask for nothing, beside its code, that the request does not?
    pub(super) fn is_part_of(&self, request: &Request) -> bool {
        self.auxiliary == request.event.auxiliary()
            && [0, request.threshold].contains(&self.threshold)
            && self.flags.beyond(request.flags).is_none()
            && self.kept_to.covers(request.counters)
            && (request.is_anywhere() || self.counters.covers(request.counters))
    }

    /// Does it say itself what this attribute would?
    pub(crate) fn fixes(&self, effect: Effect) -> bool {
        match effect {
            Effect::Threshold => self.threshold != 0,
            Effect::Flag(flag) | Effect::NoFlag(flag) => self.flags.contains(flag),
            Effect::Auxiliary(_) => self.auxiliary != 0,
            _ => false,
        }
    }

    /// How much beside the code is part of it.
    pub(super) const fn attributes(&self) -> u32 {
        self.flags.len() + (self.threshold != 0) as u32 + (self.auxiliary != 0) as u32
    }
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
