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
/// byte is in no name, except `.` and `:`, and MUST be a separator for [`position`].
#[inline]
pub(super) fn find_longest(table: &Table, text: &[u8], ends_word: impl Fn(u8) -> bool) -> Option<Found> {
    let (mut hasher, mut found, mut length) = (Hasher::new(text), None, 0);
    loop {
        let rest = text.get(length..).unwrap_or_default();
        length += position(rest, &ends_word).unwrap_or(rest.len());
        let beginning = text.get(..length).unwrap_or(text);
        found = table.find(hasher.of_first(length), beginning).map(|number| Found { number, length }).or(found);
        if !matches!(text.get(length), Some(b'.' | b':')) {
            return found;
        }
        length += 1;
    }
}

/// Returns the position of the first separator. No separator may have bit 6, which letters and `_` have: of eight
/// bytes at a time only those without it are tested.
#[inline]
pub(crate) fn position(text: &[u8], is_separator: impl Fn(u8) -> bool) -> Option<usize> {
    let (eights, rest) = text.as_chunks::<8>();
    for (number, eight) in eights.iter().enumerate() {
        let mut without = !u64::from_le_bytes(*eight) & u64::from_ne_bytes([0x40; 8]);
        while without != 0 {
            let at = without.trailing_zeros() as usize / 8;
            if eight.get(at).is_some_and(|&byte| is_separator(byte)) {
                return Some(8 * number + at);
            }
            without &= without - 1;
        }
    }
    Some(8 * eights.len() + rest.iter().position(|&byte| is_separator(byte))?)
}
