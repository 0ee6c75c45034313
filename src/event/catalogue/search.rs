//! Finds a name in a packed table.
//!
//! Blocks of names are searched by their first names, eight letters at a time. In the block that is found no letter
//! of the text is compared twice: a name that shares more letters with the one before it than the text does comes before
//! the text as that one does.

use super::Text;
use super::order::{key, text_word, word};
use super::table::{BLOCK, Entry, Table};

/// The words of eight letters that the longest name has.
const WORDS: usize = Text::LONGEST / 8;

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

/// A text whose letters are made comparable as they are needed.
struct Wanted<'t> {
    text: &'t [u8],
    words: [u64; WORDS],
    known: usize,
}

impl Wanted<'_> {
    /// Returns eight letters of the text.
    #[inline]
    fn word(&mut self, number: usize) -> u64 {
        while self.known <= number {
            let word = text_word(self.text.get(8 * self.known..).unwrap_or_default());
            let Some(place) = self.words.get_mut(self.known) else { return u64::MAX };
            *place = word;
            self.known += 1;
        }
        self.words.get(number).copied().unwrap_or(u64::MAX)
    }

    /// Returns the eight letters from `at` on.
    #[inline]
    fn word_from(&mut self, at: usize) -> u64 {
        let (first, shift) = (self.word(at / 8), 8 * (at % 8) as u32);
        if shift == 0 { first } else { first << shift | self.word(at / 8 + 1) >> (64 - shift) }
    }

    /// Compares letters of a name with those of the text from `at` on. Returns how many are alike, and whether the name comes
    /// after the text.
    #[inline]
    fn compare(&mut self, letters: &[u8], at: usize) -> (usize, bool) {
        let mut done = 0;
        loop {
            let (theirs, ours) = (key(word(letters.get(done..).unwrap_or_default())), self.word_from(at + done));
            let differ = theirs ^ ours;
            let same = done + differ.leading_zeros() as usize / 8;
            if same >= letters.len() {
                return (letters.len(), false);
            }
            if differ != 0 {
                return (same, theirs > ours);
            }
            done += 8;
        }
    }
}

/// Finds the last name that does not come after the text, or returns `None` if all do.
pub(super) fn last_before(table: &Table, text: &[u8]) -> Option<Found> {
    let mut wanted = Wanted { text, words: [0; WORDS], known: 0 };
    let block = last_block(table, &mut wanted)?;
    let (mut names, mut alike, mut found) = (table.block(block), 0, None);
    let end = table.len().min((block + 1) * BLOCK);
    for number in block * BLOCK..end {
        let (entry, rest) = Entry::first_of(names)?;
        names = rest;
        let length = entry.shared + entry.letters.len();
        if entry.shared <= alike {
            let (more, is_after) = wanted.compare(entry.letters, entry.shared);
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
fn last_block(table: &Table, wanted: &mut Wanted) -> Option<usize> {
    let (mut low, mut high) = (0, table.blocks());
    let (mut low_alike, mut high_alike) = (0, 0);
    while low < high {
        let (middle, alike) = (low.midpoint(high), low_alike.min(high_alike));
        let (first, _) = Entry::first_of(table.block(middle))?;
        let (more, is_after) = wanted.compare(first.letters.get(alike..).unwrap_or_default(), alike);
        if is_after {
            (high, high_alike) = (middle, alike + more);
        } else {
            (low, low_alike) = (middle + 1, alike + more);
        }
    }
    low.checked_sub(1)
}
