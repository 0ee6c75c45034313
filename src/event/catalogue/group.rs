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

use super::{Catalogue, EventName, NamedEvent};
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

/// The groups of a [`Catalogue`]'s events.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    /// The lowest of the four bits of a code that contain the number of its counter, from 1, or 0 for any.
    pub number_at: u32,
    /// The number of the last group.
    pub last: u16,
    /// The events that every group has on counters that drivers do not use, each with its counter, which has no other event.
    /// Other counters count the same, so requests for these are for any counter. [`Catalogue::places_of`] does not list these
    /// places.
    pub everywhere: &'static [(&'static str, CounterId)],
}

impl Groups {
    /// No groups.
    pub const NONE: Self = Self { number_at: 0, last: 0, everywhere: &[] };

    /// Returns the place that a group has for an event that every group has.
    fn place_of(self, name: EventName, group: u16) -> Option<GroupPlace> {
        let (_, counter) = self.everywhere.iter().find(|(own, _)| name == *own).filter(|_| group <= self.last)?;
        Some(GroupPlace(group << 4 | u16::from(counter.number())))
    }

    /// Returns true if drivers use a counter that an event has in a group.
    pub(crate) const fn uses(self, counter: CounterId) -> bool {
        let mut rest = self.everywhere;
        while let [(_, unused), others @ ..] = rest {
            if unused.number() == counter.number() {
                return false;
            }
            rest = others;
        }
        true
    }

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
    /// group has the event on several counters, the first is returned. A list may also have the whole name as an event of
    /// its own, if the event has another code in that group.
    #[must_use]
    pub fn grouped(&self, name: &str) -> Option<(NamedEvent, GroupPlace)> {
        self.grouped_by(name.as_bytes())
    }

    pub(crate) fn grouped_by(&self, name: &[u8]) -> Option<(NamedEvent, GroupPlace)> {
        let (event, group) = split(name)?;
        let whole = self.named_by(name).and_then(|named| Some((named, self.places_of(named).next()?)));
        whole.or_else(|| {
            let named = self.named_by(event)?;
            let place = self.places_of(named).find(|place| place.group() == group);
            Some((named, place.or_else(|| self.groups.place_of(named.name, group))?))
        })
    }

    /// Looks up the event of OProfile's name, whether its group has the event or not.
    #[cold]
    pub(crate) fn ungrouped_by(&self, name: &[u8]) -> Option<NamedEvent> {
        self.named_by(split(name)?.0)
    }

    /// Returns the places of an event on counters that drivers use.
    pub fn places_of(&self, named: NamedEvent) -> impl Iterator<Item = GroupPlace> + Clone + use<> {
        let (events, number) = (self.events, named.name.number_in(self.events));
        number.into_iter().flat_map(move |number| events.places(number)).map(GroupPlace::from_number)
    }

    /// Returns a request for an event in its place: with its code there, and only on that counter. An event that every group
    /// has on a counter that drivers do not use ([`Groups::everywhere`]) is requested on any counter that has it.
    #[must_use]
    pub const fn request_at(&self, named: NamedEvent, place: GroupPlace) -> Request {
        let (code, counter) = (self.groups.code_on(named.code, place.counter()), place.counter());
        let request = Request::new(Event::raw_with(code, named.auxiliary));
        if self.groups.uses(counter) { request.pinned_to(counter) } else { request }
    }

    /// Returns the events of a group on counters that drivers use, each with its place.
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
        let (only, named) = match self.grouped(name) {
            Some((_, place)) => (Some(place), None),
            None => (None, Some(self.named(name).ok_or(NoGroup::Unknown(name))?)),
        };
        let places = named.map(|named| self.places_of(named)).into_iter().flatten();
        let is_everywhere = |named: NamedEvent| self.groups.everywhere.iter().any(|(own, _)| named.name == *own);
        let all = 1..=if named.is_some_and(is_everywhere) { self.groups.last } else { 0 };
        Ok(only.into_iter().chain(places).map(GroupPlace::group).chain(all))
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
        let mut places = self.events.iter().flat_map(|event| self.places_of(event).map(move |place| (event, place)));
        places.find(|&(named, place)| {
            let Request { event, counters, .. } = self.request_at(named, place);
            let is_asked = place.group() != 0 && event == request.event && counters == request.counters;
            is_asked && self.is_first(named, place)
        })
    }

    /// Returns true unless the group has the event on a counter before this one: further places have no names.
    fn is_first(&self, named: NamedEvent, place: GroupPlace) -> bool {
        self.places_of(named).find(|other| other.group() == place.group()) == Some(place)
    }
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
        let events = "A 0x1 0-3 places=10,20\nB 0x2002 0-3 places=11,31,33\nC 0x3 0-3 places=22,32\nD 0x4 0-3\n\
            E 0x5 0-3\nC_GRP1 0x1005 0 only places=10";
        let groups = Groups { number_at: 12, last: 3, everywhere: const { &[("D", CounterId::new(4).unwrap())] } };
        Catalogue { events: Events::of_text(events), groups, ..Catalogue::EMPTY }
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
        assert_eq!(toy.common_group(&["A", "F"]), Err(NoGroup::Unknown("F")));
        assert_eq!(toy.common_group(&["A", "E"]), Err(NoGroup::Ungrouped("E")));
        assert_eq!(toy.common_group(&["A", "C_GRP4"]), Err(NoGroup::Unknown("C_GRP4")));
        assert_eq!(toy.common_group(&[]), Err(NoGroup::Nothing));
    }

    #[test]
    fn an_event_that_every_group_has_on_an_unused_counter_is_requested_on_any() {
        let toy = toy();
        let (named, place) = toy.grouped("d_grp2").unwrap();
        assert_eq!((place.group(), place.counter().number()), (2, 4));
        assert_eq!(toy.request_at(named, place), Request::new(Event::raw(0x4)));
        assert_eq!([toy.common_group(&["D_GRP2", "A"]), toy.common_group(&["C", "D_GRP3"])], [Ok(2), Ok(3)]);
        assert_eq!([toy.common_group(&["A", "D"]), toy.common_group(&["D", "C"])], [Ok(1), Ok(2)]);
        assert!(toy.grouped("D_GRP4").is_none(), "there is no fourth group");
    }

    #[test]
    fn an_event_with_another_code_in_a_group_is_found_by_the_whole_name() {
        let toy = toy();
        let (named, place) = toy.grouped("c_grp1").unwrap();
        assert_eq!((named.code, place), (0x1005, GroupPlace::from_number(0x10)));
        assert_eq!(toy.common_group(&["C_GRP1", "B"]), Ok(1));
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
