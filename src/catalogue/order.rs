//! The order of names, and how one is found by halving.
//!
//! Names are compared eight letters at a time: a word of them, the first letter highest, orders as
//! they do.

use core::cmp::Ordering;

/// The order of names: by letters, upper and lower case alike, `.` and `:` alike.
#[must_use]
pub fn compare(one: &str, other: &str) -> Ordering {
    let alike = |byte: u8| if byte == b':' { b'.' } else { byte.to_ascii_lowercase() };
    one.bytes().map(alike).cmp(other.bytes().map(alike))
}

/// The same order, of names that have no `:`, while compiling.
pub(super) const fn comes_before(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() {
        let (first, second) = (one[at].to_ascii_lowercase(), other[at].to_ascii_lowercase());
        if first != second {
            return first < second;
        }
        at += 1;
    }
    one.len() < other.len()
}

/// The entry with just this name. The entries are sorted by their names, which have no `:`.
pub(super) fn find<T>(entries: &'static [T], name_of: impl Fn(&T) -> &str, wanted: &[u8]) -> Option<&'static T> {
    let (_, entry) = last_beginning(entries, &name_of, wanted);
    entry.filter(|entry| name_of(entry).len() == wanted.len())
}

/// The entry with the longest name that `text` begins with, and then ends or goes on with `.` or `:`.
/// The entries are as [`find`]'s.
#[inline]
pub(super) fn find_longest<T>(
    mut entries: &'static [T],
    name_of: impl Fn(&T) -> &str,
    mut text: &[u8],
) -> Option<&'static T> {
    loop {
        let (place, entry) = last_beginning(entries, &name_of, text);
        if let Some(entry) = entry.filter(|entry| text.get(name_of(entry).len()).is_none_or(is_separator)) {
            return Some(entry);
        }
        // A shorter one comes before, and goes no further than the two agree.
        entries = entries.get(..place)?;
        text = shortened(text, name_of(entries.last()?).as_bytes())?;
    }
}

/// How many entries come before the text or are it, and the last of those if the text begins with its
/// name.
#[inline]
fn last_beginning<T>(entries: &'static [T], name_of: impl Fn(&T) -> &str, text: &[u8]) -> (usize, Option<&'static T>) {
    let text = Text::of(text);
    let (mut place, mut left, mut last) = (0, entries, None);
    while let Some((before, [entry, behind @ ..])) = left.split_at_checked(left.len() / 2) {
        let stand = text.stands(name_of(entry).as_bytes());
        if stand == Stand::Before {
            left = before;
        } else {
            left = behind;
            place += before.len() + 1;
            last = (stand == Stand::Begins).then_some(entry);
        }
    }
    (place, last)
}

/// What of the text is before the last separator that is no further than it and the name agree.
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

/// A text that begins with a name that is looked for.
struct Text<'a> {
    text: &'a [u8],
    /// Its first eight letters.
    head: u64,
}

/// How a text stands to a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stand {
    /// It comes before it.
    Before,
    /// It comes behind it.
    Behind,
    /// It begins with it, and comes behind it or is it.
    Begins,
}

impl<'a> Text<'a> {
    #[inline]
    fn of(text: &'a [u8]) -> Self {
        Self { text, head: Self::word(text, 0) }
    }

    #[inline]
    fn word(text: &[u8], at: usize) -> u64 {
        folded(with_dots(word(text, at)))
    }

    /// How it stands to a name that has no `:`.
    #[inline(always)]
    fn stands(&self, name: &[u8]) -> Stand {
        let head = folded(word(name, 0));
        if self.head != head && name.len() >= 8 { stand(self.head, head) } else { self.stands_behind(name, head) }
    }

    /// The same where the first eight letters do not tell.
    #[inline(never)]
    fn stands_behind(&self, name: &[u8], head: u64) -> Stand {
        let (mut at, mut one, mut other) = (0, self.head, head);
        while name.len() >= at + 8 {
            if one != other {
                return stand(one, other);
            }
            at += 8;
            (one, other) = (Self::word(self.text, at), folded(word(name, at)));
        }
        // Of the last letters there are fewer than eight.
        let behind = u64::MAX >> (8 * (name.len() - at));
        if one & !behind == other { Stand::Begins } else { stand(one, other) }
    }
}

#[inline]
const fn stand(one: u64, other: u64) -> Stand {
    if one < other { Stand::Before } else { Stand::Behind }
}

/// Eight letters from `at` on, the first highest, and 0 behind the last.
#[inline]
fn word(name: &[u8], at: usize) -> u64 {
    if let Some(letters) = name.get(at..).and_then(|rest| rest.first_chunk()) {
        return u64::from_be_bytes(*letters);
    }
    let rest = name.get(at..).unwrap_or(&[]);
    match name.last_chunk() {
        Some(letters) if !rest.is_empty() => u64::from_be_bytes(*letters) << (8 * (8 - rest.len())),
        _ => {
            rest.iter().zip([56, 48, 40, 32, 24, 16, 8]).fold(0, |word, (&byte, shift)| word | u64::from(byte) << shift)
        }
    }
}

/// The same byte eight times.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// A word of letters with its upper case lowered: bit 5 is set where bits 0 to 4 number a letter, from
/// 1 to 26, and bit 6 says that it is one.
#[inline]
const fn folded(word: u64) -> u64 {
    let number = word & each(0x1F);
    let is_letter = (number + each(0x1F)) & !(number + each(0x05)) & word >> 1 & each(0x20);
    word | is_letter
}

/// A word of letters with `.` in place of `:`, which differ by 14H.
#[inline]
const fn with_dots(word: u64) -> u64 {
    let difference = word ^ each(b':');
    let is_other = ((difference & each(0x7F)) + each(0x7F)) | difference;
    let is_colon = !is_other & each(0x80);
    word ^ (is_colon >> 3 | is_colon >> 5)
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
    fn words_order_as_letters_do() {
        let names =
            ["", "a", "A.b", "ab", "ABCDEFGH", "abcdefgh.i", "abcdefghi", "abcdefgh_ijklmno", "abcdefgh_ijklmnoq", "z"];
        for text in names.map(|name| name.replace('.', ":")) {
            for name in names {
                let stand = Text::of(text.as_bytes()).stands(name.as_bytes());
                let begins = text.get(..name.len()).is_some_and(|start| compare(start, name).is_eq());
                assert_eq!(stand == Stand::Begins, begins, "{text} {name}");
                assert_eq!(stand == Stand::Before, compare(&text, name).is_lt(), "{text} {name}");
            }
        }
    }

    #[test]
    fn the_longest_name_is_found() {
        const NAMES: &[&str] = &["A", "A.B", "A.B.C", "A.BB", "AB", "B.A"];
        let longest = |text: &str| find_longest(NAMES, |name| name, text.as_bytes()).copied();
        assert_eq!(longest("a:b:c:u"), Some("A.B.C"));
        assert_eq!(longest("a:b:u"), Some("A.B"));
        assert_eq!(longest("a.bc:b"), Some("A"));
        assert_eq!(longest("a.b.cc:b"), Some("A.B"));
        assert_eq!(longest("b:u"), None);
        assert_eq!(longest("abc"), None);
    }
}
