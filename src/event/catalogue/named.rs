//! A named event: its code, what else is part of it, and its unit masks.

use super::table::first_mask;
use super::{Effect, EventName, Marks};
use crate::event::{CounterSet, Flags, Request};

/// An event with a name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NamedEvent {
    /// Its name, as the vendor writes it.
    pub name: EventName,
    /// Its code, without a unit mask if [`NamedEvent::masks`] has any.
    pub code: u64,
    /// The value of an auxiliary register that the code needs; 0 if it needs none.
    pub auxiliary: u64,
    /// The flags that are part of the event.
    pub flags: Flags,
    /// The threshold that is part of the event; 0 if none is.
    pub threshold: u8,
    /// The counters that have it. Where a thread has more counters while it has its core alone, as on Intel's with
    /// hyper-threading off, those that have it then are among them.
    pub counters: CounterSet,
    /// The counters that a request for it is limited to: all, if the code alone is enough.
    pub kept_to: CounterSet,
    /// Its unit masks.
    pub masks: UnitMasks,
    /// What its maker's list says of it.
    pub marks: Marks,
    /// The shortest period that OProfile allows; 0 if no list has one.
    pub least: u64,
    /// The period that its maker's list samples it with; 0 if no list has one.
    pub customary: u64,
}

/// The unit masks of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnitMasks {
    /// How they can be chosen.
    pub kind: MaskKind,
    /// The unit mask that is chosen by default.
    pub default: u64,
    /// The unit masks with names, sorted by value.
    pub named: MaskNames,
}

/// The unit masks of an event that have names, sorted by value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaskNames {
    list: &'static [u8],
    count: u8,
    /// So many bytes each number has.
    width: u8,
    has_fields: bool,
}

/// How unit masks can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MaskKind {
    /// There are none.
    None,
    /// Only the default.
    Mandatory,
    /// One of those that are listed, or one for each field of bits.
    Exclusive,
    /// Any combination of those that are listed.
    Bitmask,
    /// Any number, because none are listed.
    Unlisted,
}

/// A unit mask with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnitMask {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
    /// The bits that it decides. Those that no mask of a text decides are the default's.
    pub field: u64,
}

impl UnitMask {
    /// Returns the unit mask of an event that is given this one alone.
    #[must_use]
    pub const fn alone(self, default: u64) -> u64 {
        default & !self.field | self.value & self.field
    }
}

impl NamedEvent {
    /// Returns true if everything that is part of the event beside its code is also in the request. The bits `modes` of
    /// an auxiliary value are no part of an event.
    pub(super) fn is_part_of(&self, request: &Request, modes: u64) -> bool {
        self.auxiliary == request.event.auxiliary() & !modes
            && [0, request.threshold].contains(&self.threshold)
            && self.flags.beyond(request.flags).is_none()
            && self.kept_to.covers(request.counters)
            && (request.is_anywhere() || self.counters.covers(request.counters))
    }

    /// Returns true if what this attribute sets is part of the event.
    pub(crate) fn fixes(&self, effect: Effect) -> bool {
        match effect {
            Effect::Threshold | Effect::MoreThan | Effect::Compare => self.threshold != 0,
            Effect::Flag(flag) | Effect::NoFlag(flag) => self.flags.contains(flag),
            Effect::Auxiliary(_) => self.auxiliary != 0,
            _ => false,
        }
    }

    /// Returns how many things beside the code are part of the event.
    pub(super) const fn attributes(&self) -> u32 {
        let is_kept = self.kept_to.bits() != u64::MAX;
        self.flags.len() + (self.threshold != 0) as u32 + (self.auxiliary != 0) as u32 + is_kept as u32
    }
}

impl MaskNames {
    /// No unit masks.
    pub const NONE: Self = Self { list: &[], count: 0, width: 0, has_fields: false };

    /// Returns the list of a table that begins here, whose numbers have so many bytes.
    pub(super) const fn packed(list: &'static [u8], count: u8, width: u8, has_fields: bool) -> Self {
        Self { list, count, width, has_fields }
    }

    /// Takes the first unit mask out of the list.
    pub(super) const fn take_first(&mut self) -> Option<UnitMask> {
        if self.count == 0 {
            return None;
        }
        let Some((mask, rest)) = first_mask(self.list, self.width, self.has_fields) else { return None };
        (self.list, self.count) = (rest, self.count - 1);
        Some(mask)
    }

    /// Returns true if there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    /// Returns the unit masks in the order of their values.
    pub fn iter(self) -> impl Iterator<Item = UnitMask> + Clone + use<> {
        let mut rest = self;
        core::iter::from_fn(move || rest.take_first())
    }
}

impl UnitMasks {
    /// No unit masks.
    pub const NONE: Self = Self { kind: MaskKind::None, default: 0, named: MaskNames::NONE };
    /// Unit masks that no list has.
    pub const UNLISTED: Self = Self { kind: MaskKind::Unlisted, default: 0, named: MaskNames::NONE };

    /// Returns the value of a unit mask by its name.
    #[must_use]
    pub fn value_of(&self, name: &str) -> Option<u64> {
        self.named.iter().find(|mask| mask.name.eq_ignore_ascii_case(name)).map(|mask| mask.value)
    }

    /// Returns true if this unit mask can be chosen.
    #[must_use]
    pub const fn allows(&self, mask: u64) -> bool {
        let (mut rest, mut all, mut is_listed) = (self.named, 0, false);
        let (mut fields, mut chosen) = (0, 0);
        while let Some(entry) = rest.take_first() {
            all |= entry.value;
            is_listed |= entry.value == mask;
            fields |= entry.field;
            chosen |= if mask & entry.field == entry.value { entry.field } else { 0 };
        }
        match self.kind {
            MaskKind::None => mask == 0,
            MaskKind::Mandatory => mask == self.default,
            MaskKind::Exclusive => chosen != 0 && chosen == fields && mask & !fields == 0,
            MaskKind::Bitmask => mask & !all == 0 && (mask != 0 || is_listed),
            MaskKind::Unlisted => true,
        }
    }
}
