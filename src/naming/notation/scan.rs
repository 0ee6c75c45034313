//! Pieces of a text with their positions, and the numbers in them.
//!
//! All separators are single bytes, so a piece always begins and ends between characters.

use core::ops::Range;

use super::{Error, Problem};
use crate::event::catalogue::{UnitMasks, position};

/// A piece of a text, and its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a [u8],
    pub(super) start: usize,
}

impl<'a> Piece<'a> {
    pub(super) const fn whole(text: &'a str) -> Self {
        Self { text: text.as_bytes(), start: 0 }
    }

    /// Returns the range of its bytes.
    pub(super) fn range(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    #[cold]
    pub(super) fn error(self, problem: Problem) -> Error {
        Error::new(self.range(), problem)
    }

    /// Returns an error about something that is missing after the piece.
    #[cold]
    pub(super) fn error_after(self, problem: Problem) -> Error {
        let end = self.range().end;
        Error::new(end..end, problem)
    }

    /// Splits the piece before the first byte that ends it.
    #[inline]
    pub(super) fn until(self, ends: impl Fn(u8) -> bool) -> (Self, Self) {
        let at = position(self.text, ends).unwrap_or(self.text.len());
        let (before, rest) = self.text.split_at_checked(at).unwrap_or((self.text, &[]));
        (Self { text: before, ..self }, Self { text: rest, start: self.start + at })
    }

    /// Returns the piece from this byte on.
    #[inline]
    pub(super) fn from(self, at: usize) -> Self {
        Self { text: self.text.get(at..).unwrap_or(&[]), start: self.start + at }
    }

    /// Returns what comes before a later piece of the same text.
    #[inline]
    pub(super) fn up_to(self, later: Self) -> Self {
        Self { text: self.text.get(..later.start - self.start).unwrap_or(self.text), ..self }
    }

    /// Returns the piece without its first byte, if that is a wanted one.
    #[inline]
    pub(super) fn strip_first(self, is_wanted: impl Fn(u8) -> bool) -> Option<Self> {
        let (&first, rest) = self.text.split_first()?;
        is_wanted(first).then_some(Self { text: rest, start: self.start + 1 })
    }

    /// Returns the piece without the leading bytes that are to be skipped.
    #[inline]
    pub(super) fn trim_start(self, is_skipped: impl Fn(u8) -> bool) -> Self {
        self.from(self.text.iter().take_while(|&&byte| is_skipped(byte)).count())
    }

    /// Returns what comes before the first separator, and what comes after it if there is one.
    #[inline]
    pub(super) fn cut(self, is_separator: impl Fn(u8) -> bool) -> (Self, Option<Self>) {
        let cut = position(self.text, is_separator).and_then(|at| self.split_at(at));
        cut.map_or((self, None), |(before, after)| (before, Some(after)))
    }

    /// Returns the parts between the separators.
    #[inline]
    pub(super) fn split(self, is_separator: impl Fn(u8) -> bool + Copy) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        core::iter::from_fn(move || {
            let part;
            (part, rest) = rest?.cut(is_separator);
            Some(part)
        })
    }

    /// Splits the piece at the first `separator`.
    #[inline]
    pub(super) fn split_once(self, separator: u8) -> Option<(Self, Self)> {
        self.split_at(self.text.iter().position(|&byte| byte == separator)?)
    }

    /// Splits the piece at the separator with this index.
    #[inline]
    pub(super) fn split_at(self, at: usize) -> Option<(Self, Self)> {
        let (before, rest) = self.text.split_at_checked(at)?;
        let (_, after) = rest.split_first()?;
        Some((Self { text: before, ..self }, Self { text: after, start: self.start + at + 1 }))
    }

    /// Splits the digits off its end. Returns `None` if there are none.
    pub(super) fn split_digits(self) -> Option<(Self, Self)> {
        let digits = self.text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let at = self.text.len() - digits;
        let (name, digits) = self.text.split_at_checked(at).filter(|_| digits > 0)?;
        Some((Self { text: name, ..self }, Self { text: digits, start: self.start + at }))
    }

    /// Parses a number as in C: decimal, octal from 0, hexadecimal from 0x.
    #[inline]
    pub(super) fn number(self) -> Option<u64> {
        let (digits, radix) = self.digits();
        digits_of(digits, radix)
    }

    /// Returns true if it is a number of more than 64 bits.
    #[cold]
    pub(super) fn is_too_large(self) -> bool {
        let (digits, radix) = self.digits();
        are_digits(digits, radix) && digits_of(digits, radix).is_none()
    }

    /// Returns the error for what is no number, or one of more than 64 bits where the largest value is this one.
    #[cold]
    pub(super) fn no_number(self, largest: u64) -> Error {
        let problem = Problem::OutOfRange { largest };
        self.error(if self.is_too_large() { problem } else { Problem::Expected("a number") })
    }

    /// Returns the digits of a number as in C, and their radix.
    #[inline]
    fn digits(self) -> (&'a [u8], u32) {
        match self.text {
            [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
            [b'0', digits @ ..] if !digits.is_empty() => (digits, 8),
            digits => (digits, 10),
        }
    }

    /// Parses a unit mask, by its name or as a number.
    pub(super) fn mask_of(self, masks: UnitMasks) -> Option<u64> {
        let named = masks.named.iter().find(|mask| self.is(mask.name)).map(|mask| mask.value);
        named.or_else(|| self.number())
    }

    /// Returns true if a name ends with this, in upper or lower case.
    pub(super) fn ends(self, name: &str) -> bool {
        let end = name.len().checked_sub(self.text.len()).and_then(|at| name.as_bytes().get(at..));
        end.is_some_and(|end| !end.is_empty() && are_alike(end, self.text))
    }

    /// Returns which of these words comes first in the text, in upper or lower case, and what follows it.
    #[inline]
    pub(super) fn first_of<T>(
        self,
        entries: impl Iterator<Item = T>,
        name_of: impl Fn(&T) -> &'static str,
        ends: impl Fn(u8) -> bool,
    ) -> Option<(T, Self)> {
        let mut entries = entries;
        entries.find_map(|entry| self.strip_word(name_of(&entry), &ends).map(|after| (entry, after)))
    }

    /// Returns what follows this word, if the piece begins with it.
    #[inline]
    fn strip_word(self, word: &str, ends: impl Fn(u8) -> bool) -> Option<Self> {
        let (first, rest) = self.text.split_at_checked(word.len())?;
        let is_it = are_alike(first, word.as_bytes()) && rest.first().is_none_or(|&byte| ends(byte));
        is_it.then_some(Self { text: rest, start: self.start + word.len() })
    }

    /// Returns true if the piece is this word, in upper or lower case.
    #[inline]
    pub(super) fn is(self, word: &str) -> bool {
        self.text.len() == word.len() && are_alike(self.text, word.as_bytes())
    }
}

/// Compares two texts of the same length. Case does not matter.
#[inline]
fn are_alike(one: &[u8], other: &[u8]) -> bool {
    // Most words differ in their first letter already. Bit 5 is the only difference between the cases.
    let differ = |(one, other): (&u8, &u8)| one | 0x20 != other | 0x20;
    let exactly = |(one, other): (&u8, &u8)| one == other || one.eq_ignore_ascii_case(other);
    !one.first().zip(other.first()).is_some_and(differ) && one.iter().zip(other).all(exactly)
}

/// Returns true if there are digits, and all are of this radix.
pub(super) fn are_digits(digits: &[u8], radix: u32) -> bool {
    !digits.is_empty() && digits.iter().all(|&digit| char::from(digit).is_digit(radix))
}

/// Returns `None` if there are no digits, if one is not of this radix, or if the number exceeds 64 bits.
fn digits_of(digits: &[u8], radix: u32) -> Option<u64> {
    let append = |number: u64, &byte: &u8| {
        number.checked_mul(radix.into())?.checked_add(char::from(byte).to_digit(radix)?.into())
    };
    if digits.is_empty() { None } else { digits.iter().try_fold(0, append) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Option<u64> {
        Piece::whole(text).number()
    }

    #[test]
    fn numbers_are_written_as_in_c() {
        assert_eq!([number("10"), number("0x1F"), number("017"), number("0")], [Some(10), Some(31), Some(15), Some(0)]);
        assert_eq!([number(""), number("08"), number("+1"), number("0x"), number("1 ")], [None; 5]);
        assert_eq!([number("18446744073709551615"), number("18446744073709551616")], [Some(u64::MAX), None]);
    }

    #[test]
    fn pieces_know_where_they_stand() {
        let pieces: Vec<_> = Piece::whole("ab,,cé,d").split(|byte| byte == b',').collect();
        let texts: Vec<_> = pieces.iter().map(|piece| (piece.text, piece.start)).collect();
        assert_eq!(texts, [("ab".as_bytes(), 0), (b"", 3), ("cé".as_bytes(), 4), (b"d", 8)]);
    }

    #[test]
    fn digits_are_split_from_a_name() {
        let split = |text| Piece::whole(text).split_digits().map(|(name, digits)| (name.text, digits.text));
        assert_eq!(split("pic12"), Some((b"pic".as_slice(), b"12".as_slice())));
        assert_eq!(split("sys"), None);
        assert_eq!(split("7"), Some((b"".as_slice(), b"7".as_slice())));
    }
}
