//! The events of a processor, sorted by name.

use core::{fmt, ptr};

use super::event_name::Text;
use super::{EventName, NamedEvent, order};

/// The events of a processor, sorted by name ([`compare`](super::compare)).
#[derive(Clone, Copy)]
pub struct Events(&'static [NamedEvent]);

impl Events {
    /// No events.
    pub const NONE: Self = Self(&[]);

    /// Creates a table of events, which MUST be sorted by name.
    #[must_use]
    pub const fn of(rows: &'static [NamedEvent]) -> Self {
        Self(rows)
    }

    /// Returns the number of events.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no events.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the event with this number, from 0.
    #[must_use]
    pub fn get(self, number: usize) -> Option<NamedEvent> {
        let row = self.0.get(number)?;
        Some(NamedEvent { name: EventName::of(self, u16::try_from(number).ok()?), ..*row })
    }

    /// Returns the events in the order of their names.
    #[must_use]
    pub const fn iter(self) -> EventIter {
        EventIter { events: self, next: 0 }
    }

    /// Returns true if this is the same table.
    pub(super) fn is_same(self, other: Self) -> bool {
        ptr::eq(self.0, other.0)
    }

    /// Returns the name of the event with this number.
    pub(super) fn name_at(self, number: u16) -> Text {
        let row = self.0.get(usize::from(number));
        row.and_then(|row| row.name.whole()).map_or(Text::EMPTY, |name| EventName::new(name).text())
    }

    /// Finds the event with this name.
    pub(super) fn find(self, name: &[u8]) -> Option<NamedEvent> {
        self.get(order::find(self.0, |row| whole(row), name)?)
    }

    /// Finds the event with the longest name that a text begins with, up to the end of a word. Returns the length of the
    /// name too.
    #[inline(always)]
    pub(super) fn find_longest(self, text: &[u8], ends_word: impl Fn(u8) -> bool) -> Option<(NamedEvent, usize)> {
        let number = order::find_longest(self.0, |row| whole(row), text, ends_word)?;
        Some((self.get(number)?, whole(self.0.get(number)?).len()))
    }
}

fn whole(row: &NamedEvent) -> &str {
    row.name.whole().unwrap_or_default()
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl IntoIterator for Events {
    type Item = NamedEvent;
    type IntoIter = EventIter;

    fn into_iter(self) -> EventIter {
        self.iter()
    }
}

/// The events of a table in the order of their names.
#[derive(Clone, Debug)]
pub struct EventIter {
    events: Events,
    next: usize,
}

impl Iterator for EventIter {
    type Item = NamedEvent;

    fn next(&mut self) -> Option<NamedEvent> {
        let event = self.events.get(self.next)?;
        self.next += 1;
        Some(event)
    }

    fn nth(&mut self, skipped: usize) -> Option<NamedEvent> {
        self.next = self.next.saturating_add(skipped);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.events.len().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for EventIter {}
