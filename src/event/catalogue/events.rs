//! The events of a processor, sorted by name.

use core::{fmt, ptr};

use super::event_name::Text;
use super::search;
use super::table::Table;
use super::{EventName, NamedEvent};

/// The events of a processor, sorted by name ([`EventName::compare`](super::EventName::compare)).
#[derive(Clone, Copy)]
pub struct Events(&'static Table);

impl Events {
    /// No events.
    pub const NONE: Self = Self(&Table::EMPTY);

    /// Returns the events of a table.
    #[must_use]
    pub const fn of(table: &'static Table) -> Self {
        Self(table)
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

    /// Returns the number of bytes that the events take.
    #[must_use]
    pub const fn size(self) -> usize {
        self.0.size()
    }

    /// Returns the event with this number, from 0.
    #[inline]
    #[must_use]
    pub fn get(self, number: usize) -> Option<NamedEvent> {
        let number = u16::try_from(number).ok().filter(|_| number < self.len())?;
        Some(self.0.row(number, EventName::of(self, number)))
    }

    /// Returns the events in the order of their names.
    #[must_use]
    pub const fn iter(self) -> EventIter {
        EventIter { events: self, next: 0 }
    }

    /// Returns the table.
    pub(super) const fn table(self) -> &'static Table {
        self.0
    }

    /// Returns true if this is the same table.
    pub(super) fn is_same(self, other: Self) -> bool {
        ptr::eq(self.0, other.0)
    }

    /// Returns the name of the event with this number.
    pub(super) fn name_at(self, number: u16) -> Text {
        self.0.name(number.into())
    }

    /// Returns the events whose codes have these bits.
    pub(super) fn with_code(self, code: u64, bits: u64) -> impl Iterator<Item = NamedEvent> {
        let numbers = (0..self.len()).filter(move |&number| (self.0.code(number as u16).1 ^ code) & bits == 0);
        numbers.filter_map(move |number| self.get(number))
    }

    /// Returns the numbers of an event's places in groups.
    pub(super) fn places(self, number: u16) -> impl Iterator<Item = u16> + Clone + use<> {
        self.0.places(number.into())
    }

    /// Finds the event with this name.
    pub(super) fn find(self, name: &[u8]) -> Option<NamedEvent> {
        self.get(search::find(self.0, name)?)
    }

    /// Finds the event with the longest name that a text begins with, up to the end of a word. Returns the length of the
    /// name too. The text MUST end there, or continue with a byte that ends a word. Such a byte is in no name, except `.` and
    /// `:`.
    #[inline]
    pub(super) fn find_longest(self, text: &[u8], ends_word: impl Fn(u8) -> bool) -> Option<(NamedEvent, usize)> {
        let found = search::find_longest(self.0, text, ends_word)?;
        Some((self.get(found.number)?, found.length))
    }
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

#[cfg(test)]
impl Events {
    /// Packs the events of a text, which is written as the files of the library's own tables are.
    pub(crate) fn of_text(text: &str) -> Self {
        let bytes = super::pack::pack(&super::text::read(text).unwrap()).unwrap();
        Self::of(Box::leak(Box::new(Table::new(bytes.leak()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::catalogue::EventName;

    const NAMES: [&str; 10] = [
        "a",
        "A.b",
        "ab",
        "ABCDEFGH",
        "abcdefgh.i",
        "abcdefgh_ijklmno",
        "abcdefgh_ijklmnoq",
        "abcdefghi",
        "Abcdefghijklmnopqrstu.v",
        "z",
    ];

    fn events<'n>(names: impl IntoIterator<Item = &'n str>) -> Events {
        let rows = names.into_iter().enumerate().map(|(code, name)| format!("{name} {code} 0\n"));
        Events::of_text(&rows.collect::<String>())
    }

    fn longest(events: Events, text: &str) -> Option<String> {
        let found = events.find_longest(text.as_bytes(), |byte| b":., ".contains(&byte))?;
        assert_eq!(found.0.name.text().len(), found.1);
        Some(found.0.name.to_string())
    }

    #[test]
    fn every_name_is_found_in_either_case_and_no_other_text() {
        let events = events(NAMES);
        assert!(
            events.iter().is_sorted_by(|one, next| EventName::compare(&one.name.text(), &next.name.text()).is_lt())
        );
        for name in NAMES {
            for text in [name.to_owned(), name.to_uppercase(), name.to_lowercase(), name.replace('.', ":")] {
                assert_eq!(events.find(text.as_bytes()).map(|found| found.name), Some(name.into()), "{text}");
            }
            for text in [format!("{name}x"), format!("x{name}"), name.replace('b', "\u{2}"), format!("{name}\u{1F}")] {
                let is_one = NAMES.iter().any(|other| EventName::compare(other, &text).is_eq());
                assert_eq!(events.find(text.as_bytes()).is_some(), is_one, "{text:?}");
            }
        }
        assert!(events.find(b"").is_none() && Events::NONE.find(b"a").is_none());
        assert!(["a?b", "A\u{E}b", "ab\u{80}", "@"].iter().all(|text| events.find(text.as_bytes()).is_none()));
    }

    #[test]
    fn names_of_many_blocks_are_found() {
        let names: Vec<_> = (0..1000).map(|number| format!("EVENT_{:03}.OF_{}", number / 7, number)).collect();
        let events = events(names.iter().map(String::as_str));
        assert_eq!(events.len(), 1000);
        for (code, name) in names.iter().enumerate() {
            let found = events.find(name.as_bytes()).expect("it is in the table");
            assert_eq!((found.name, found.code), (name.clone().leak()[..].into(), code as u64));
            let text = format!("{name}:u,x");
            assert_eq!(longest(events, &text).as_deref(), Some(name.as_str()));
            assert!(events.find(&name.as_bytes()[1..]).is_none() && events.find(text.as_bytes()).is_none());
        }
    }

    #[test]
    fn the_longest_name_is_found() {
        let events = events(["A", "A.B", "A.B.C", "A.BB", "AB", "B.A"]);
        let longest = |text: &str| longest(events, text);
        assert_eq!(longest("a:b:c:u").as_deref(), Some("A.B.C"));
        assert_eq!(longest("a:b:u").as_deref(), Some("A.B"));
        assert_eq!(longest("a.bc:b").as_deref(), Some("A"));
        assert_eq!(longest("a.b.cc:b").as_deref(), Some("A.B"));
        assert_eq!(longest("a.b,a.bc").as_deref(), Some("A.B"));
        assert_eq!(longest("a,a.b").as_deref(), Some("A"));
        assert_eq!(longest("a.b.cc a:b").as_deref(), Some("A.B"));
        assert_eq!(longest("b:u"), None);
        assert_eq!(longest("abc"), None);
    }

    #[test]
    fn a_row_is_what_was_written() {
        let events = Events::of_text(
            "masks kinds bitmask one=1 two=2/6\nPLAIN 0x1234567890 0-3,32\nFULL 0x1B7 1 only beside=0x123456789abcdef0 \
             threshold=7 edge invert least=100000 masks=kinds:0x3 places=10,2f\n",
        );
        let full = events.find(b"full").expect("it is there");
        assert_eq!((full.code, full.auxiliary), (0x1B7, 0x1234_5678_9ABC_DEF0));
        assert_eq!((full.threshold, full.least, full.counters.bits()), (7, 100_000, 0b10));
        assert_eq!((full.kept_to, full.flags.len()), (full.counters, 2));
        let masks: Vec<_> = full.masks.named.iter().map(|mask| (mask.name, mask.value, mask.field)).collect();
        assert_eq!((full.masks.default, masks), (3, vec![("one", 1, u64::MAX), ("two", 2, 6)]));
        assert_eq!(events.places(0).collect::<Vec<_>>(), [0x10, 0x2F]);
        let plain = events.find(b"plain").expect("it is there");
        assert_eq!((plain.code, plain.auxiliary, plain.counters.bits()), (0x12_3456_7890, 0, 0x1_0000_000F));
        assert!(
            plain.masks.named.is_empty() && plain.kept_to.covers(plain.counters) && plain.kept_to != plain.counters
        );
    }
}
