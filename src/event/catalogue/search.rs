//! Finds a name in a packed table by its hash.

use super::hash::Hasher;
use super::table::Table;

/// A name that was found.
pub(super) struct Found {
    /// The number of the event.
    pub(super) number: usize,
    /// The length of the name.
    pub(super) length: usize,
}

/// Finds a name.
#[inline]
pub(super) fn find(table: &Table, name: &[u8]) -> Option<usize> {
    table.find(Hasher::new(name).of_first(name.len()), name)
}

/// Finds the longest name that a text begins with. The text MUST end there, or continue with a byte that ends a word. Such a
/// byte is in no name, except `.` and `:`.
#[inline]
pub(super) fn find_longest(table: &Table, text: &[u8], ends_word: impl Fn(u8) -> bool) -> Option<Found> {
    let (mut hasher, mut found, mut length) = (Hasher::new(text), None, 0);
    loop {
        let rest = text.get(length..).unwrap_or_default();
        length += position(rest, &ends_word);
        let beginning = text.get(..length).unwrap_or(text);
        found = table.find(hasher.of_first(length), beginning).map(|number| Found { number, length }).or(found);
        if !matches!(text.get(length), Some(b'.' | b':')) {
            return found;
        }
        length += 1;
    }
}

/// Returns the position of the first byte that ends a word, or the length of the text.
#[inline]
fn position(text: &[u8], ends_word: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&byte| ends_word(byte)).unwrap_or(text.len())
}
