//! Events in the groups of a processor's lists. The events of a group can be counted together, each on the
//! counter that the group gives it.
//!
//! OProfile's names contain the event and the group: `PM_CYC_GRP1` is PM_CYC in group 1. Every notation accepts
//! them. Drivers do not need groups to place events; groups are for lists, and for users who look for one.
//!
//! ```
//! use pmu::arch::powerpc::book3s::Identity;
//!
//! let catalogue = Identity::POWER7.capabilities().catalogue();
//! let names = ["PM_BR_MPRED_TA", "PM_BR_MPRED_CCACHE"];
//! let group = catalogue.common_group(&names).unwrap();
//! assert!(names.iter().all(|name| catalogue.group(group).any(|(_, event)| event.name == *name)));
//!
//! let refusal = catalogue.common_group(&["PM_BR_MPRED_TA", "PM_BR_PRED"]).unwrap_err();
//! assert_eq!(refusal.to_string(), "PM_BR_MPRED_TA and PM_BR_PRED have no group in common");
//! ```

use core::fmt;

use super::order::comes_before;
use super::{Catalogue, NamedEvent};
use crate::event::{CounterId, CounterSet, Event, Request};

/// The number of a group, and the counter of an event in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place(u16);

impl Place {
    /// Creates a place from its number, as OProfile numbers events: bits 0 to 3 are the counter, from 0, and
    /// the bits above them the group.
    #[must_use]
    pub const fn from_number(number: u16) -> Self {
        Self(number)
    }

    /// Returns the number of the group. No list has a group 0.
    #[must_use]
    pub const fn group(self) -> u16 {
        self.0 >> 4
    }

    /// Returns the counter.
    #[must_use]
    pub const fn counter(self) -> CounterId {
        match CounterId::new(self.0 as u8 & 0xF) {
            Some(counter) => counter,
            None => CounterId::ZERO,
        }
    }
}

/// The places of a [`Catalogue`]'s events in groups.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    /// The numbers of the places of each of [`Catalogue::events`], in the same order; empty if there are no
    /// groups.
    pub places: &'static [&'static [u16]],
    /// The lowest of the four bits of a code that contain the number of its counter, from 1, or 0 for any.
    pub number_at: u32,
}

impl Groups {
    /// No groups.
    pub const NONE: Self = Self { places: &[], number_at: 0 };

    /// Returns the code of the same event on this counter. A code that names no counter is good for any.
    const fn code_on(self, code: u64, counter: CounterId) -> u64 {
        let number = 0xF << self.number_at;
        if code & number == 0 { code } else { code & !number | (counter.number() as u64 + 1) << self.number_at }
    }
}

/// An event and its places: a line of a table that is made at compile time.
#[derive(Clone, Copy, Debug)]
pub struct Grouped {
    /// The event.
    pub event: NamedEvent,
    /// The numbers of its places.
    pub places: &'static [u16],
}

impl Grouped {
    /// Merges two tables that are sorted by name. `N` is the number of their events.
    #[must_use]
    pub const fn merged<const N: usize>(one: &[Self], other: &[Self]) -> [Self; N] {
        assert!(one.len() + other.len() == N, "the tables have another number of events");
        let nothing = Self { event: NamedEvent::new("", 0, CounterSet::EMPTY), places: &[] };
        let mut all = [nothing; N];
        let (mut first, mut second) = (0, 0);
        while first + second < N {
            let is_first = second == other.len()
                || first < one.len() && comes_before(&one[first].event.name, &other[second].event.name);
            all[first + second] = if is_first { one[first] } else { other[second] };
            if is_first {
                first += 1;
            } else {
                second += 1;
            }
        }
        all
    }

    /// Returns the events of a table, for [`Catalogue::events`].
    #[must_use]
    pub const fn events<const N: usize>(table: &[Self]) -> [NamedEvent; N] {
        let mut events = [NamedEvent::new("", 0, CounterSet::EMPTY); N];
        let mut at = 0;
        while at < N {
            events[at] = table[at].event;
            at += 1;
        }
        events
    }

    /// Returns the places of a table, for [`Groups::places`].
    #[must_use]
    pub const fn places<const N: usize>(table: &[Self]) -> [&'static [u16]; N] {
        let mut places: [&[u16]; N] = [&[]; N];
        let mut at = 0;
        while at < N {
            places[at] = table[at].places;
            at += 1;
        }
        places
    }
}

/// The reason why events have no group in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoGroup<'n> {
    /// The processor has no event of this name.
    Unknown(&'n str),
    /// No group has this event.
    Ungrouped(&'n str),
    /// No group has both of these events.
    Apart(&'n str, &'n str),
    /// Each pair of events has a group, but no group has all of them.
    Together,
    /// No event was named.
    Nothing,
}

impl fmt::Display for NoGroup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "this processor has no event {name}"),
            Self::Ungrouped(name) => write!(f, "no group has {name}; request it by its name alone"),
            Self::Apart(one, other) => write!(f, "{one} and {other} have no group in common"),
            Self::Together => {
                f.write_str("each two of these events have a group in common, but no group has all of them")
            }
            Self::Nothing => f.write_str("no event is named"),
        }
    }
}

impl core::error::Error for NoGroup<'_> {}

impl Catalogue {
    /// Looks up an event and its place by OProfile's name, such as `PM_CYC_GRP1`. Case does not matter. If the
    /// group has the event on several counters, the first is returned.
    #[must_use]
    pub fn grouped(&self, name: &str) -> Option<(NamedEvent, Place)> {
        self.grouped_by(name.as_bytes())
    }

    pub(crate) fn grouped_by(&self, name: &[u8]) -> Option<(NamedEvent, Place)> {
        let (name, group) = split(name)?;
        let named = self.named_by(name)?;
        Some((named, self.places_of(named).find(|place| place.group() == group)?))
    }

    /// Returns the places of an event.
    pub fn places_of(&self, named: NamedEvent) -> impl Iterator<Item = Place> + use<> {
        let at = named.name.number_in(self.events);
        let places = at.and_then(|at| self.groups.places.get(usize::from(at))).copied().unwrap_or(&[]);
        places.iter().copied().map(Place::from_number)
    }

    /// Returns a request for an event in its place: with its code there, and only on that counter.
    #[must_use]
    pub const fn request_at(&self, named: NamedEvent, place: Place) -> Request {
        let (code, counter) = (self.groups.code_on(named.code, place.counter()), place.counter());
        let request = Request::new(Event::raw_with(code, named.auxiliary));
        request.pinned_to(counter)
    }

    /// Returns the events of a group, each with its place.
    pub fn group(&self, number: u16) -> impl Iterator<Item = (Place, NamedEvent)> {
        let all = self.events.iter().zip(self.groups.places);
        let places = all.flat_map(|(event, places)| places.iter().map(move |&place| (Place(place), event)));
        places.filter(move |(place, _)| place.group() == number)
    }

    /// Returns the first group that has all these events. An OProfile name is only in its own group.
    ///
    /// # Errors
    /// The first two events that have no group in common, or another reason.
    pub fn common_group<'n>(&self, names: &[&'n str]) -> Result<u16, NoGroup<'n>> {
        for name in names {
            self.groups_of(name)?.next().ok_or(NoGroup::Ungrouped(name))?;
        }
        self.group_with(names).ok_or_else(|| self.apart(names))
    }

    /// Returns the first group that has all these events.
    fn group_with(&self, names: &[&str]) -> Option<u16> {
        let (first, others) = names.split_first()?;
        let has = |name: &str, group| self.groups_of(name).is_ok_and(|mut groups| groups.any(|other| other == group));
        let mut groups = self.groups_of(first).ok()?;
        groups.find(|&group| others.iter().all(|name| has(name, group)))
    }

    /// Returns the groups that have this event.
    fn groups_of<'n>(&self, name: &'n str) -> Result<impl Iterator<Item = u16> + use<>, NoGroup<'n>> {
        let (named, only) = match self.grouped(name) {
            Some((named, place)) => (named, Some(place.group())),
            None => (self.named(name).ok_or(NoGroup::Unknown(name))?, None),
        };
        let is_it = move |group: &u16| only.is_none_or(|only| only == *group);
        Ok(self.places_of(named).map(Place::group).filter(is_it))
    }

    /// Returns the first two of these events that have no group in common.
    fn apart<'n>(&self, names: &[&'n str]) -> NoGroup<'n> {
        if names.is_empty() {
            return NoGroup::Nothing;
        }
        for (at, other) in names.iter().enumerate() {
            for one in names.iter().take(at) {
                if self.group_with(&[one, other]).is_none() {
                    return NoGroup::Apart(one, other);
                }
            }
        }
        NoGroup::Together
    }

    /// Looks up the event in a group that a request for one counter asks for, and the first place whose name
    /// stands for it.
    pub(crate) fn placed(&self, request: &Request) -> Option<(NamedEvent, Place)> {
        let all = self.events.iter().zip(self.groups.places);
        let mut named = all.flat_map(|(event, places)| first_places(places).map(move |place| (event, place)));
        named.find(|&(event, place)| {
            let Request { event, counters, .. } = self.request_at(event, place);
            place.group() != 0 && event == request.event && counters == request.counters
        })
    }
}

/// Leaves out the places of an event on a further counter of the same group, which have no names.
fn first_places(places: &'static [u16]) -> impl Iterator<Item = Place> {
    let all = || places.iter().copied().map(Place);
    all().enumerate().filter_map(move |(at, place)| {
        let is_first = all().take(at).all(|other| other.group() != place.group());
        is_first.then_some(place)
    })
}

/// Splits an OProfile name into the name of the event and the number of the group.
fn split(name: &[u8]) -> Option<(&[u8], u16)> {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (rest, digits) = name.split_at_checked(name.len() - digits)?;
    let (event, mark) = rest.split_at_checked(rest.len().checked_sub(MARK.len())?)?;
    let number = str::from_utf8(digits).ok()?.parse().ok().filter(|&number| number != 0)?;
    mark.eq_ignore_ascii_case(MARK).then_some((event, number))
}

const MARK: &[u8] = b"_GRP";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::catalogue::Events;

    #[test]
    fn a_name_is_split_at_its_groups_number() {
        assert_eq!(split(b"PM_CYC_GRP17"), Some((b"PM_CYC".as_slice(), 17)));
        assert_eq!(split(b"pm_cyc_grp1"), Some((b"pm_cyc".as_slice(), 1)));
        for name in ["PM_CYC", "PM_CYC_GRP", "PM_CYC_GRP0", "PM_CYC_GRP70000", "17", "GRP1", "PM_CYCGRP1", ""] {
            assert_eq!(split(name.as_bytes()), None, "{name}");
        }
    }

    const fn row(name: &'static str, code: u64, places: &'static [u16]) -> Grouped {
        Grouped { event: NamedEvent::new(name, code, CounterSet::first(4)), places }
    }

    const TABLE: [Grouped; 4] = [
        row("A", 0x0001, &[0x10, 0x20]),
        row("B", 0x2002, &[0x11, 0x31, 0x33]),
        row("C", 0x0003, &[0x22, 0x32]),
        row("D", 0x0004, &[]),
    ];
    static EVENTS: [NamedEvent; 4] = Grouped::events(&TABLE);
    static PLACES: [&[u16]; 4] = Grouped::places(&TABLE);
    const TOY: Catalogue = Catalogue {
        events: Events::of(&EVENTS),
        groups: Groups { places: &PLACES, number_at: 12 },
        ..Catalogue::EMPTY
    };

    #[test]
    fn a_group_that_has_all_events_is_found() {
        assert_eq!([TOY.common_group(&["A", "b"]), TOY.common_group(&["C", "A"])], [Ok(1), Ok(2)]);
        assert_eq!([TOY.common_group(&["B", "B"]), TOY.common_group(&["B_GRP3", "C"])], [Ok(1), Ok(3)]);
        let group: Vec<_> =
            TOY.group(2).map(|(place, event)| (place.counter().number(), event.name.to_string())).collect();
        assert_eq!(group, [(0, "A".to_owned()), (2, "C".to_owned())]);
    }

    #[test]
    fn events_without_a_common_group_are_told_apart() {
        assert_eq!(TOY.common_group(&["A", "B", "C"]), Err(NoGroup::Together));
        assert_eq!(TOY.common_group(&["A_GRP1", "B", "C"]), Err(NoGroup::Apart("A_GRP1", "C")));
        assert_eq!(TOY.common_group(&["A", "E"]), Err(NoGroup::Unknown("E")));
        assert_eq!(TOY.common_group(&["A", "D"]), Err(NoGroup::Ungrouped("D")));
        assert_eq!(TOY.common_group(&["A", "C_GRP1"]), Err(NoGroup::Unknown("C_GRP1")));
        assert_eq!(TOY.common_group(&[]), Err(NoGroup::Nothing));
    }

    #[test]
    fn a_place_is_a_counter_and_the_code_for_it() {
        let (named, place) = TOY.grouped("B_GRP3").unwrap();
        let request = TOY.request_at(named, place);
        assert_eq!(request, Request::new(Event::raw(0x2002)).pinned_to(CounterId::new(1).unwrap()));
        let other = TOY.request_at(named, Place::from_number(0x33));
        assert_eq!(other, Request::new(Event::raw(0x4002)).pinned_to(CounterId::new(3).unwrap()));
        assert_eq!(TOY.placed(&request).map(|(named, place)| (named.name, place.group())), Some(("B".into(), 1)));
        assert_eq!(TOY.placed(&other).map(|_| ()), None, "the name in group 3 is for counter 1");
        assert_eq!(TOY.placed(&Request::new(Event::raw(0x4002))).map(|_| ()), None, "it is on no counter alone");
    }
}
