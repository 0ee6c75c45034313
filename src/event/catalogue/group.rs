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

use super::{Catalogue, NamedEvent};
use crate::event::{CounterId, Event, Request};

/// The number of a group, and the counter of an event in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GroupPlace(u16);

impl GroupPlace {
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

/// How the groups of a [`Catalogue`]'s events are numbered.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    /// The lowest of the four bits of a code that contain the number of its counter, from 1, or 0 for any.
    pub number_at: u32,
}

impl Groups {
    /// No groups.
    pub const NONE: Self = Self { number_at: 0 };

    /// Returns the code of the same event on this counter. A code that names no counter is good for any.
    const fn code_on(self, code: u64, counter: CounterId) -> u64 {
        let number = 0xF << self.number_at;
        if code & number == 0 { code } else { code & !number | (counter.number() as u64 + 1) << self.number_at }
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
    pub fn grouped(&self, name: &str) -> Option<(NamedEvent, GroupPlace)> {
        self.grouped_by(name.as_bytes())
    }

    pub(crate) fn grouped_by(&self, name: &[u8]) -> Option<(NamedEvent, GroupPlace)> {
        let (name, group) = split(name)?;
        let named = self.named_by(name)?;
        Some((named, self.places_of(named).find(|place| place.group() == group)?))
    }

    /// Looks up the event of OProfile's name, whether its group has the event or not.
    #[cold]
    pub(crate) fn ungrouped_by(&self, name: &[u8]) -> Option<NamedEvent> {
        self.named_by(split(name)?.0)
    }

    /// Returns the places of an event.
    pub fn places_of(&self, named: NamedEvent) -> impl Iterator<Item = GroupPlace> + Clone + use<> {
        let (events, number) = (self.events, named.name.number_in(self.events));
        number.into_iter().flat_map(move |number| events.places(number)).map(GroupPlace::from_number)
    }

    /// Returns a request for an event in its place: with its code there, and only on that counter.
    #[must_use]
    pub const fn request_at(&self, named: NamedEvent, place: GroupPlace) -> Request {
        let (code, counter) = (self.groups.code_on(named.code, place.counter()), place.counter());
        let request = Request::new(Event::raw_with(code, named.auxiliary));
        request.pinned_to(counter)
    }

    /// Returns the events of a group, each with its place.
    pub fn group(&self, number: u16) -> impl Iterator<Item = (GroupPlace, NamedEvent)> {
        let places = self.events.iter().flat_map(|event| self.places_of(event).map(move |place| (place, event)));
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
        Ok(self.places_of(named).map(GroupPlace::group).filter(is_it))
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
    pub(crate) fn placed(&self, request: &Request) -> Option<(NamedEvent, GroupPlace)> {
        let first = |event| first_places(self.places_of(event)).map(move |place| (event, place));
        let mut named = self.events.iter().flat_map(first);
        named.find(|&(event, place)| {
            let Request { event, counters, .. } = self.request_at(event, place);
            place.group() != 0 && event == request.event && counters == request.counters
        })
    }
}

/// Leaves out the places of an event on a further counter of the same group, which have no names.
fn first_places(places: impl Iterator<Item = GroupPlace> + Clone) -> impl Iterator<Item = GroupPlace> {
    let all = move || places.clone();
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

    fn toy() -> Catalogue {
        let events = "A 0x1 0-3 places=10,20\nB 0x2002 0-3 places=11,31,33\nC 0x3 0-3 places=22,32\nD 0x4 0-3";
        Catalogue { events: Events::of_text(events), groups: Groups { number_at: 12 }, ..Catalogue::EMPTY }
    }

    #[test]
    fn a_group_that_has_all_events_is_found() {
        let toy = toy();
        assert_eq!([toy.common_group(&["A", "b"]), toy.common_group(&["C", "A"])], [Ok(1), Ok(2)]);
        assert_eq!([toy.common_group(&["B", "B"]), toy.common_group(&["B_GRP3", "C"])], [Ok(1), Ok(3)]);
        let group: Vec<_> =
            toy.group(2).map(|(place, event)| (place.counter().number(), event.name.to_string())).collect();
        assert_eq!(group, [(0, "A".to_owned()), (2, "C".to_owned())]);
    }

    #[test]
    fn events_without_a_common_group_are_told_apart() {
        let toy = toy();
        assert_eq!(toy.common_group(&["A", "B", "C"]), Err(NoGroup::Together));
        assert_eq!(toy.common_group(&["A_GRP1", "B", "C"]), Err(NoGroup::Apart("A_GRP1", "C")));
        assert_eq!(toy.common_group(&["A", "E"]), Err(NoGroup::Unknown("E")));
        assert_eq!(toy.common_group(&["A", "D"]), Err(NoGroup::Ungrouped("D")));
        assert_eq!(toy.common_group(&["A", "C_GRP1"]), Err(NoGroup::Unknown("C_GRP1")));
        assert_eq!(toy.common_group(&[]), Err(NoGroup::Nothing));
    }

    #[test]
    fn a_place_is_a_counter_and_the_code_for_it() {
        let toy = toy();
        let (named, place) = toy.grouped("B_GRP3").unwrap();
        let request = toy.request_at(named, place);
        assert_eq!(request, Request::new(Event::raw(0x2002)).pinned_to(CounterId::new(1).unwrap()));
        let other = toy.request_at(named, GroupPlace::from_number(0x33));
        assert_eq!(other, Request::new(Event::raw(0x4002)).pinned_to(CounterId::new(3).unwrap()));
        assert_eq!(toy.placed(&request).map(|(named, place)| (named.name, place.group())), Some(("B".into(), 1)));
        assert_eq!(toy.placed(&other).map(|_| ()), None, "the name in group 3 is for counter 1");
        assert_eq!(toy.placed(&Request::new(Event::raw(0x4002))).map(|_| ()), None, "it is on no counter alone");
    }
}
