//! The order of names, and a binary search for them.
//!
//! Names are compared eight letters at a time. A word of eight letters, the first in the highest byte, compares
//! as the letters do.

use core::cmp::Ordering;

use super::EventName;

impl EventName {
    /// Compares names by letters. Case does not matter, and `.` and `:` are equal.
    #[must_use]
    pub fn compare(one: &str, other: &str) -> Ordering {
        let alike = |byte: u8| if byte == b':' { b'.' } else { byte.to_ascii_lowercase() };
        one.bytes().map(alike).cmp(other.bytes().map(alike))
    }
}

/// Finds the entry with this name. The entries are sorted by name, and no name has a `:`.
pub(super) fn find<T>(entries: &'static [T], name_of: impl Fn(&T) -> &str, wanted: &[u8]) -> Option<usize> {
    let (place, entry) = last_beginning(entries, &name_of, wanted);
    entry.filter(|entry| name_of(entry).len() == wanted.len()).map(|_| place - 1)
}

/// Finds the entry with the longest name that `text` begins with. The text MUST end there, or continue with a
/// byte that ends a word: `.`, `:`, and what comes before them in the order. The entries are as in [`find`].
#[inline(always)]
pub(super) fn find_longest<T>(
    entries: &'static [T],
    name_of: impl Fn(&T) -> &str,
    text: &[u8],
    ends_word: impl Fn(u8) -> bool,
) -> Option<usize> {
    let (place, entry) = last_beginning(entries, &name_of, text);
    let is_whole = |entry: &&T| text.get(name_of(entry).len()).is_none_or(|&byte| ends_word(byte));
    let number = entry.filter(is_whole).map(|_| place - 1);
    number.or_else(|| find_shorter(entries.get(..place)?, name_of, text))
}

/// Finds a shorter name among the entries that come before the text, if the last of them does not fit.
#[cold]
fn find_shorter<T>(mut entries: &'static [T], name_of: impl Fn(&T) -> &str, mut text: &[u8]) -> Option<usize> {
    loop {
        // A shorter name cannot be longer than what the text and the last entry have in common.
        text = shortened(text, name_of(entries.last()?).as_bytes())?;
        let (place, entry) = last_beginning(entries, &name_of, text);
        if entry.is_some_and(|entry| text.get(name_of(entry).len()).is_none_or(is_separator)) {
            return Some(place - 1);
        }
        entries = entries.get(..place)?;
    }
}

/// Returns how many entries are at most the text, and the last of them if the text begins with its name.
#[inline(always)]
fn last_beginning<T>(entries: &'static [T], name_of: impl Fn(&T) -> &str, text: &[u8]) -> (usize, Option<&'static T>) {
    // A `:` compares greater than the `.` that it stands for, but no name that the text begins with is lost.
    let letters = key(word(text));
    let end = entries.partition_point(|entry| key(word(name_of(entry).as_bytes())) <= letters);
    let before = entries.get(..end).unwrap_or(entries);
    match before.last() {
        Some(last) if begins(text, name_of(last).as_bytes()) => (end, Some(last)),
        _ => last_alike(before, name_of, text),
    }
}

/// Continues a search that the first eight letters did not decide: with every further eight letters, those
/// entries remain that agree with the text so far.
#[inline(never)]
fn last_alike<T>(entries: &'static [T], name_of: impl Fn(&T) -> &str, text: &[u8]) -> (usize, Option<&'static T>) {
    let (mut before, mut left, mut at) = (0, entries, 0);
    loop {
        let letters = key(with_dots(word(rest_from(text, at))));
        let letters_of = |entry: &T| key(word(rest_from(name_of(entry).as_bytes(), at)));
        left = left.get(..left.partition_point(|entry| letters_of(entry) <= letters)).unwrap_or(left);
        let end = before + left.len();
        let Some(last) = left.last() else { return (end, None) };
        let name = name_of(last).as_bytes();
        if begins(text, name) {
            return (end, Some(last));
        }
        if name.len() < at + 8 || letters_of(last) != letters {
            return (end, None);
        }
        let others = left.partition_point(|entry| letters_of(entry) != letters);
        (before, left) = (before + others, left.get(others..).unwrap_or(&[]));
        at += 8;
    }
}

/// Returns true if the text begins with a name, which has no `:`. Text in the same case is compared directly.
#[inline]
fn begins(text: &[u8], name: &[u8]) -> bool {
    let Some(text) = text.get(..name.len()) else { return false };
    let mut eights = text.as_chunks().0.iter().zip(name.as_chunks().0);
    eights.all(|(one, other)| are_alike(u64::from_be_bytes(*one), u64::from_be_bytes(*other)))
        && are_alike(last_word(text), last_word(name))
}

/// Returns eight letters from `at` on, the first in the lowest byte. Some are missing at the end of the text.
#[inline]
pub(super) fn eight_from(text: &[u8], at: usize) -> u64 {
    let from = at.min(text.len().saturating_sub(8));
    let eight = text.get(from..).and_then(<[u8]>::first_chunk).map_or_else(|| few(text), |it| u64::from_le_bytes(*it));
    eight >> ((8 * (at - from) as u32) & 63)
}

/// Returns fewer than eight letters, the first in the lowest byte.
#[inline(never)]
fn few(letters: &[u8]) -> u64 {
    letters.iter().rfold(0, |word, &letter| word << 8 | u64::from(letter))
}

/// Compares a word of the text with a word of the name.
#[inline]
pub(super) fn are_alike(one: u64, other: u64) -> bool {
    one == other || are_alike_folded(one, other)
}

#[inline(never)]
const fn are_alike_folded(one: u64, other: u64) -> bool {
    folded(with_dots(one)) == folded(other)
}

/// Returns the text before the last separator within what the text and the name have in common.
#[cold]
fn shortened<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let alike = |&(&one, &other): &(&u8, &u8)| folded(with_dots(one.into())) == folded(other.into());
    let agree = text.iter().zip(name).take_while(alike).count();
    let end = text.len().min(agree + 1);
    let last = text.get(..end)?.iter().rposition(is_separator)?;
    text.get(..last)
}

const fn is_separator(byte: &u8) -> bool {
    matches!(byte, b':' | b'.')
}

/// Returns the rest from `at` on.
#[inline]
fn rest_from(name: &[u8], at: usize) -> &[u8] {
    name.get(at..).unwrap_or(&[])
}

/// Returns the first eight letters, the first in the highest byte, padded with [`NONE`].
#[inline]
fn word(name: &[u8]) -> u64 {
    name.first_chunk().map_or_else(|| short_word(name), |letters| u64::from_be_bytes(*letters))
}

/// Returns the last eight letters, or all if there are fewer. Some are there twice if there are five to seven.
#[inline]
fn last_word(name: &[u8]) -> u64 {
    match (name.last_chunk::<8>(), name.first_chunk::<4>(), name.last_chunk::<4>()) {
        (Some(eight), ..) => u64::from_be_bytes(*eight),
        (None, Some(first), Some(last)) => {
            u64::from(u32::from_be_bytes(*first)) << 32 | u64::from(u32::from_be_bytes(*last))
        }
        _ => name.iter().fold(0, |word, &letter| word << 8 | u64::from(letter)),
    }
}

/// Returns fewer than eight letters, the first in the highest byte, padded with [`NONE`].
#[inline(never)]
fn short_word(letters: &[u8]) -> u64 {
    letters.iter().rfold(each(NONE), |word, &letter| word >> 8 | u64::from(letter) << 56)
}

/// Stands for a missing letter. No letter has a lower key.
const NONE: u8 = 0x1F;

/// Returns a word of eight equal bytes.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Returns the key by which a word of letters is sorted in either case: each letter plus 1, without the bit
/// that distinguishes the cases. `_` then comes before all letters, as it should.
#[inline]
const fn key(word: u64) -> u64 {
    word.wrapping_add(each(1)) & each(0xDF)
}

/// Converts the letters of a word to lower case: sets bit 5 of each byte whose bits 0 to 4 are 1 to 26 and whose
/// bit 6 is set.
#[inline]
const fn folded(word: u64) -> u64 {
    let number = word & each(0x1F);
    let is_letter = (number + each(0x1F)) & !(number + each(0x05)) & word >> 1 & each(0x20);
    word | is_letter
}

/// Replaces `:` by `.` in a word. They differ by 14H.
#[inline]
const fn with_dots(word: u64) -> u64 {
    let is_colon = is_zero(word ^ each(b':'));
    word ^ (is_colon >> 3 | is_colon >> 5)
}

/// Returns bit 7 of each byte that is 0.
#[inline]
const fn is_zero(word: u64) -> u64 {
    !(((word & each(0x7F)) + each(0x7F)) | word) & each(0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_folded_alike_by_itself_and_in_a_word() {
        for byte in 0..=0x7F {
            assert_eq!(folded(each(byte)), each(byte.to_ascii_lowercase()), "{byte:#x}");
            assert_eq!(with_dots(each(byte)), each(if byte == b':' { b'.' } else { byte }), "{byte:#x}");
        }
    }

    #[test]
    fn the_letters_of_names_are_ordered_by_their_keys() {
        let letters: Vec<_> = (b' '..b'?').chain([b'_']).chain(b'a'..=b'z').collect();
        let keys = letters.iter().map(|&letter| key(each(letter)));
        assert!(keys.is_sorted_by(|one, next| one < next));
        assert!((b'A'..=b'Z').all(|letter| key(each(letter)) == key(each(letter.to_ascii_lowercase()))));
        assert!((0..=0x7F).all(|byte| key(each(NONE)) <= key(each(byte))));
    }

    #[test]
    fn a_text_comes_behind_the_names_that_letters_put_before_it() {
        const NAMES: &[&str] = &[
            "",
            "a",
            "A.b",
            "ab",
            "ABCDEFGH",
            "abcdefgh.i",
            "abcdefgh_ijklmno",
            "abcdefgh_ijklmnoq",
            "abcdefghi",
            "z",
        ];
        assert!(NAMES.is_sorted_by(|one, other| EventName::compare(one, other).is_lt()));
        let texts = ["A:", "a:b", "abc", "abcdefg", "abcdefgh:j", "abcdefgh_ijklmnop", "abcdefghijklmnopq", "Z9", "~"];
        for text in NAMES.iter().chain(&texts) {
            let (place, last) = last_beginning(NAMES, |name| name, text.as_bytes());
            assert_eq!(place, NAMES.iter().filter(|name| EventName::compare(name, text).is_le()).count(), "{text}");
            let begins =
                |name: &&&str| text.get(..name.len()).is_some_and(|start| EventName::compare(start, name).is_eq());
            assert_eq!(last, NAMES[..place].last().filter(begins), "{text}");
        }
    }

    #[test]
    fn the_longest_name_is_found() {
        const NAMES: &[&str] = &["A", "A.B", "A.B.C", "A.BB", "AB", "B.A"];
        let longest = |text: &str| {
            find_longest(NAMES, |name| name, text.as_bytes(), |byte| b":., ".contains(&byte)).map(|at| NAMES[at])
        };
        assert_eq!(longest("a:b:c:u"), Some("A.B.C"));
        assert_eq!(longest("a:b:u"), Some("A.B"));
        assert_eq!(longest("a.bc:b"), Some("A"));
        assert_eq!(longest("a.b.cc:b"), Some("A.B"));
        assert_eq!(longest("a.b,a.bc"), Some("A.B"));
        assert_eq!(longest("a,a.b"), Some("A"));
        assert_eq!(longest("a.b.cc a:b"), Some("A.B"));
        assert_eq!(longest("b:u"), None);
        assert_eq!(longest("abc"), None);
    }
}
