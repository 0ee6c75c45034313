//! The name of an event, which a table may hold packed.

use core::fmt;
use core::ops::Deref;

use super::Events;

/// The name of an event. It is printed and compared without being unpacked first; [`EventName::text`] unpacks it.
#[derive(Clone, Copy)]
pub struct EventName(Kept);

/// Where a name is kept.
#[derive(Clone, Copy)]
enum Kept {
    Whole(&'static str),
    In(Events, u16),
}

/// A name that was unpacked. It dereferences to a `str`.
#[derive(Clone, Copy)]
pub struct Text {
    letters: [u8; Text::LONGEST],
    length: usize,
}

impl EventName {
    /// Returns the name that this text is.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        Self(Kept::Whole(text))
    }

    /// Returns the name of an event of a table.
    pub(super) const fn of(events: Events, number: u16) -> Self {
        Self(Kept::In(events, number))
    }

    /// Returns the number of the event among these, if it is one of them.
    pub(super) fn number_in(self, events: Events) -> Option<u16> {
        match self.0 {
            Kept::In(own, number) if own.is_same(events) => Some(number),
            _ => None,
        }
    }

    /// Returns the letters of the name.
    #[must_use]
    pub fn text(self) -> Text {
        match self.0 {
            Kept::Whole(text) => Text::new(text.as_bytes()),
            Kept::In(events, number) => events.name_at(number),
        }
    }
}

impl Text {
    /// The length of the longest name that there can be, in bytes.
    pub const LONGEST: usize = 96;
    /// No letters.
    pub(super) const EMPTY: Self = Self { letters: [0; Self::LONGEST], length: 0 };

    /// Returns the name that is made of an event's and a unit mask's.
    pub(crate) fn joined(event: &[u8], mask: &[u8]) -> Self {
        let mut text = Self::new(event);
        text.replace_from(event.len(), b".");
        text.replace_from(event.len() + 1, mask);
        text
    }

    fn new(letters: &[u8]) -> Self {
        let mut text = Self::EMPTY;
        text.replace_from(0, letters);
        text
    }

    /// Replaces the letters from `at` on. Letters beyond the longest name are left out.
    pub(super) fn replace_from(&mut self, at: usize, letters: &[u8]) {
        let room = self.letters.get_mut(at..).unwrap_or_default();
        let length = room.len().min(letters.len());
        for (place, letter) in room.iter_mut().zip(letters) {
            *place = *letter;
        }
        self.length = (at + length).min(Self::LONGEST);
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.letters.get(..self.length).and_then(|letters| str::from_utf8(letters).ok()).unwrap_or_default()
    }
}

impl From<&'static str> for EventName {
    fn from(text: &'static str) -> Self {
        Self::new(text)
    }
}

impl PartialEq<str> for EventName {
    fn eq(&self, other: &str) -> bool {
        *self.text() == *other
    }
}

impl PartialEq<&str> for EventName {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq for EventName {
    fn eq(&self, other: &Self) -> bool {
        *self == *other.text()
    }
}

impl Eq for EventName {}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.text(), f)
    }
}

impl fmt::Debug for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.text(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
