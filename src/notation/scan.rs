//! Pieces of a text that know where they stand, and the numbers in them.

use core::ops::Range;

use super::{Error, Problem};

/// A piece of a text, and where it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
}

impl<'a> Piece<'a> {
    pub(super) const fn whole(text: &'a str) -> Self {
        Self { text, start: 0 }
    }

    /// Its bytes.
    pub(super) fn range(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    pub(super) fn error(self, problem: Problem) -> Error {
        Error::new(self.range(), problem)
    }

    /// The error that something is missing behind it.
    pub(super) fn error_behind(self, problem: Problem) -> Error {
        let end = self.range().end;
        Error::new(end..end, problem)
    }

    /// The parts between the separators: one more than there are of these.
    pub(super) fn split(self, is_separator: impl Fn(char) -> bool + Copy) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        core::iter::from_fn(move || {
            let piece = rest?;
            match piece.text.char_indices().find(|&(_, char)| is_separator(char)) {
                Some((at, separator)) => rest = Some(piece.from(at + separator.len_utf8())),
                None => return rest.take(),
            }
            let end = rest?.start - piece.start;
            let separator = piece.text.get(..end)?.chars().next_back()?;
            Some(piece.to(end - separator.len_utf8()))
        })
    }

    /// Before and behind the first `separator`.
    pub(super) fn split_once(self, separator: char) -> Option<(Self, Self)> {
        let at = self.text.find(separator)?;
        Some((self.to(at), self.from(at + separator.len_utf8())))
    }

    /// Before and behind the separator at this place, which takes one byte.
    pub(super) fn split_at(self, at: usize) -> Option<(Self, Self)> {
        self.text.is_char_boundary(at + 1).then(|| (self.to(at), self.from(at + 1)))
    }

    /// The digits at its end apart from what is before them; `None` if there are none.
    pub(super) fn split_digits(self) -> Option<(Self, Self)> {
        let at = self.text.trim_end_matches(|char: char| char.is_ascii_digit()).len();
        (at < self.text.len()).then(|| (self.to(at), self.from(at)))
    }

    /// The number that it is, as C writes it: decimal, octal from 0, hexadecimal from 0x.
    pub(super) fn number(self) -> Option<u64> {
        let text = self.text;
        let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        match (hexadecimal, text.strip_prefix('0')) {
            (Some(digits), _) => digits_of(digits, 16),
            (None, Some(digits)) if !digits.is_empty() => digits_of(digits, 8),
            _ => digits_of(text, 10),
        }
    }

    fn from(self, at: usize) -> Self {
        Self { text: self.text.get(at..).unwrap_or(""), start: self.start + at }
    }

    fn to(self, end: usize) -> Self {
        Self { text: self.text.get(..end).unwrap_or(""), start: self.start }
    }
}

/// No sign, which `from_str_radix` would take.
fn digits_of(digits: &str, radix: u32) -> Option<u64> {
    digits.bytes().all(|byte| byte.is_ascii_alphanumeric()).then(|| u64::from_str_radix(digits, radix).ok())?
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
        let pieces: Vec<_> = Piece::whole("ab,,cé,d").split(|char| char == ',').collect();
        let texts: Vec<_> = pieces.iter().map(|piece| (piece.text, piece.start)).collect();
        assert_eq!(texts, [("ab", 0), ("", 3), ("cé", 4), ("d", 8)]);
    }

    #[test]
    fn digits_are_split_from_a_name() {
        let split = |text| Piece::whole(text).split_digits().map(|(name, digits)| (name.text, digits.text));
        assert_eq!(split("pic12"), Some(("pic", "12")));
        assert_eq!(split("sys"), None);
        assert_eq!(split("7"), Some(("", "7")));
    }
}
