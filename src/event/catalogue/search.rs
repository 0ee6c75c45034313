//! Finds a name in a packed table.
//!
//! Blocks of names are searched by their first names, eight letters at a time. In the block that is found no letter
//! of the text is compared twice: a name that shares more letters with the one before it than the text does comes before
//! the text as that one does.

use super::Text;
use super::order::{first_letters, key, text_word};
use super::table::{BLOCK, Entry, Table};

/// The last name of a table that does not come after a text.
pub(super) struct Found {
    pub(super) number: usize,
    /// The length of the name.
    pub(super) length: usize,
    /// How many letters the text and the name have in common.
    pub(super) alike: usize,
}

impl Found {
    /// Returns true if the text begins with the name.
    pub(super) const fn is_beginning(&self) -> bool {
        self.alike == self.length
    }
}

/// The keys of a text's letters, followed by those of missing ones. No name is longer than what is kept of it.
struct Wanted([u8; Text::LONGEST + 8]);

impl Wanted {
    fn new(text: &[u8]) -> Self {
        let mut keys = [0; _];
        let mut left = text.get(..Text::LONGEST).unwrap_or(text);
        for eight in keys.as_chunks_mut().0 {
            *eight = text_word(left).to_be_bytes();
            let Some(rest) = left.get(8..) else { break };
            left = rest;
        }
        Self(keys)
    }

    /// Returns the keys of eight letters.
    #[inline]
    fn word_from(&self, at: usize) -> u64 {
        self.0.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |keys| u64::from_be_bytes(*keys))
    }

    /// Compares letters of a name with those of the text from `at` on. Returns how many are alike, and whether the name comes
    /// after the text.
    #[inline]
    fn compare(&self, entry: &Entry, skipped: usize, at: usize) -> (usize, bool) {
        let mut done = 0;
        loop {
            let left = entry.length.saturating_sub(skipped + done);
            let theirs = key(first_letters(entry.letters.get(skipped + done..).unwrap_or_default(), left));
            let differ = theirs ^ self.word_from(at + done);
            let same = differ.leading_zeros() as usize / 8;
            if same >= left {
                return (done + left, false);
            }
            if differ != 0 {
                return (done + same, theirs > theirs ^ differ);
            }
            done += 8;
        }
    }
}

/// Finds the last name that does not come after the text, or returns `None` if all do.
pub(super) fn last_before(table: &Table, text: &[u8]) -> Option<Found> {
    let wanted = Wanted::new(text);
    let block = last_block(table, &wanted)?;
    let (mut names, mut alike, mut found) = (table.block(block), 0, None);
    let end = table.len().min((block + 1) * BLOCK);
    for number in block * BLOCK..end {
        let (entry, rest) = Entry::first_of(names)?;
        names = rest;
        let length = entry.shared + entry.length;
        if entry.shared <= alike {
            let (more, is_after) = wanted.compare(&entry, 0, entry.shared);
            if is_after {
                break;
            }
            alike = entry.shared + more;
        }
        found = Some(Found { number, length, alike });
    }
    found
}

/// Returns the last block whose first name does not come after the text.
#[inline]
fn last_block(table: &Table, wanted: &Wanted) -> Option<usize> {
    let (mut low, mut high) = (0, table.blocks());
    let (mut low_alike, mut high_alike) = (0, 0);
    while low < high {
        let (middle, alike) = (low.midpoint(high), low_alike.min(high_alike));
        let (first, _) = Entry::first_of(table.block(middle))?;
        let (more, is_after) = wanted.compare(&first, alike, alike);
        if is_after {
            (high, high_alike) = (middle, alike + more);
        } else {
            (low, low_alike) = (middle + 1, alike + more);
        }
    }
    low.checked_sub(1)
}
