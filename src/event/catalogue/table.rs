//! A table of events as bytes, and how its rows are read.
//!
//! The generator (`cargo xtask events generate`) writes tables from the text files beside them into one file a family, of
//! which each table is a static copy ([`Table::part`]). A table contains no
//! addresses, so nothing has to be relocated in it. Numbers are little-endian, and offsets are from the first byte.
//!
//! ```text
//! header   the number of events, two widths, and where each part begins
//! heads    of each name: how many letters it shares with the name before it in its block, and how many others it has
//! blocks   where the letters of each block of names begin
//! letters  the others of each name
//! buckets  which entries each bucket has: the number of its first, and after the last bucket that of all
//! entries  the numbers of events by the hashes of their names, with some bits of the hash
//! rows     each: a field, and the number of a shape; both are as wide as the header says
//! shapes   what events have in common: the high bits of the code, counters, flags, threshold, masks, marks, a period
//! sets     sets of counters, to which shapes refer
//! values   values of auxiliary registers, each as wide as the header says
//! masks    lists of unit masks, to which shapes refer: kind, number, default; value, field and name of each
//! places   where the places of each event begin, and the places
//! ```
//! A row's field is the low bits of the code, at least 16, and the shape has the others. If the shape says so, the field is
//! the number of an auxiliary value, and the shape has the whole code. A shape's period is the shortest or, if its marks say
//! so, the customary one: no list has both.

use core::ops::Range;

use super::event_name::Text;
use super::order::{are_alike, eight_from};
use super::{EventName, Marks, MaskKind, MaskNames, NamedEvent, UnitMask, UnitMasks};
use crate::event::{CounterSet, Flags};

/// The number of names in a block.
const BLOCK: usize = 8;
/// The number of events for each bucket.
const BUCKET: usize = 4;
/// The number of bits of an entry that are the number of an event. The others are bits of its hash.
const NUMBER: u32 = 11;
/// The number of bytes of the header.
const HEADER: usize = 16;
/// The number of bytes of a shape.
const SHAPE: usize = 16;
/// Set among the flags of a shape: a request is limited to the event's counters.
const IS_KEPT: u8 = 0x80;
/// In place of an auxiliary value: the row's field is its number, and the shape has the whole code.
const BY_ROW: u8 = 0xFF;

/// Set among the marks of a shape: its period is the customary one.
const IS_CUSTOMARY: u8 = 0x80;
/// Set in the first byte of a list of masks: each has a field. The kind is below, and above is how many bytes numbers have.
const HAS_FIELDS: u8 = 0x08;

/// A table of events as bytes.
#[derive(Debug)]
pub struct Table {
    bytes: &'static [u8],
    events: u16,
    field: u8,
    number: u8,
    value: u8,
    rows: u16,
    shapes: u16,
    sets: u16,
    values: u16,
    buckets: u16,
    places: u16,
}

impl Table {
    /// A table without events.
    pub const EMPTY: Self = Self {
        bytes: &[],
        events: 0,
        field: 0,
        number: 0,
        value: 0,
        rows: 0,
        shapes: 0,
        sets: 0,
        values: 0,
        buckets: 0,
        places: 0,
    };

    /// Creates a table from what the generator has written.
    ///
    /// # Panics
    /// If there are fewer bytes than a header has.
    #[must_use]
    pub const fn new(bytes: &'static [u8]) -> Self {
        const fn at(bytes: &[u8], at: usize) -> u16 {
            u16::from_le_bytes([bytes[at], bytes[at + 1]])
        }
        Self {
            bytes,
            events: at(bytes, 0),
            field: bytes[2],
            number: bytes[3] & 0xF,
            value: bytes[3] >> 4,
            rows: at(bytes, 4),
            shapes: at(bytes, 6),
            sets: at(bytes, 8),
            values: at(bytes, 10),
            buckets: at(bytes, 12),
            places: at(bytes, 14),
        }
    }

    /// Copies the table of `N` bytes at this offset of a file that has many. A kernel links the copy, and not the file.
    ///
    /// # Panics
    /// If the file is shorter.
    #[must_use]
    pub const fn part<const N: usize>(file: &[u8], at: usize) -> [u8; N] {
        match file.split_at(at).1.first_chunk() {
            Some(table) => *table,
            None => panic!("the file ends before the table: generate both again"),
        }
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of events.
    pub(super) const fn len(&self) -> usize {
        self.events as usize
    }

    /// Finds the event with this name, which has this hash.
    #[inline]
    pub(super) fn find(&self, hash: u32, name: &[u8]) -> Option<usize> {
        let buckets = self.len().div_ceil(BUCKET);
        let bucket = ((u64::from(hash) * buckets as u64) >> 32) as usize;
        let at = usize::from(self.buckets) + 2 * bucket;
        let entries = usize::from(self.buckets) + 2 * (buckets + 1);
        let entry = |number: u16| entries + 2 * usize::from(number);
        let of_bucket = self.bytes.get(entry(self.u16_at(at))..entry(self.u16_at(at + 2)))?;
        let check = hash as u16 & u16::MAX >> NUMBER;
        for entry in of_bucket.as_chunks().0 {
            let entry = u16::from_le_bytes(*entry);
            let number = usize::from(entry & ((1 << NUMBER) - 1));
            if entry >> NUMBER == check && self.has_name(number, name) {
                return Some(number);
            }
        }
        None
    }

    /// Returns true if the event has this name. The last letters are compared first: those that the name does not share with
    /// the name before it.
    #[inline]
    fn has_name(&self, number: usize, name: &[u8]) -> bool {
        let heads = self.heads(number);
        let Some(&[shared, length]) = heads.last() else { return false };
        if usize::from(shared) + usize::from(length) != name.len() {
            return false;
        }
        let mut end = heads.iter().fold(self.letters_of(number / BLOCK), |end, [_, length]| end + usize::from(*length));
        let mut left = name.len();
        for &[shared, length] in heads.iter().rev() {
            let shared = usize::from(shared);
            end -= usize::from(length);
            if shared < left {
                if !self.has_letters(end, name, shared..left) {
                    return false;
                }
                left = shared;
            }
        }
        true
    }

    /// Returns true if the letters of the name in this range are those that begin at `begin`.
    #[inline]
    fn has_letters(&self, begin: usize, name: &[u8], range: Range<usize>) -> bool {
        let (Some(text), Some(letters)) = (name.get(range.clone()), self.bytes.get(begin..begin + range.len())) else {
            return false;
        };
        let ((eights, few), (others, _)) = (text.as_chunks(), letters.as_chunks());
        for (one, other) in eights.iter().zip(others) {
            if !are_alike(u64::from_le_bytes(*one), u64::from_le_bytes(*other)) {
                return false;
            }
        }
        let (behind, last) = (64 - 8 * few.len() as u32, 8 * eights.len());
        few.is_empty() || are_alike(eight_from(name, range.start + last) << behind, self.u64_at(begin + last) << behind)
    }

    /// Returns the heads of a block's names up to this one.
    #[inline]
    fn heads(&self, number: usize) -> &'static [[u8; 2]] {
        let first = number - number % BLOCK;
        self.bytes.get(HEADER + 2 * first..HEADER + 2 * (number + 1)).unwrap_or_default().as_chunks().0
    }

    /// Returns where the letters of a block begin.
    #[inline]
    fn letters_of(&self, block: usize) -> usize {
        self.u16_at(HEADER + 2 * (self.len() + block)).into()
    }

    #[inline]
    const fn from(&self, at: usize) -> &'static [u8] {
        match self.bytes.split_at_checked(at) {
            Some((_, rest)) => rest,
            None => &[],
        }
    }

    /// Returns the bytes from `at` on. It takes one comparison.
    #[inline]
    const fn chunk<const N: usize>(&self, at: usize) -> [u8; N] {
        let Some((bytes, _)) = self.bytes.split_at_checked(at + N) else { return [0; N] };
        match bytes.last_chunk() {
            Some(chunk) => *chunk,
            None => [0; N],
        }
    }

    #[inline]
    const fn u16_at(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.chunk(at))
    }

    #[inline]
    const fn u64_at(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.chunk(at))
    }

    /// Returns the name of an event.
    pub(super) fn name(&self, number: usize) -> Text {
        let (mut text, mut at) = (Text::EMPTY, self.letters_of(number / BLOCK));
        for &[shared, length] in self.heads(number) {
            let end = at + usize::from(length);
            text.replace_from(shared.into(), self.bytes.get(at..end).unwrap_or_default());
            at = end;
        }
        text
    }

    /// Returns an event without its name.
    pub(super) const fn row(&self, number: u16, name: EventName) -> NamedEvent {
        let (shape, code, auxiliary) = self.code(number);
        let [_, _, _, _, _, _, set, _] = self.u64_at(shape).to_le_bytes();
        let others = self.u64_at(shape + 8);
        let [_, _, _, marks, flags, threshold, _, _] = others.to_le_bytes();
        let counters = CounterSet::from_bits(self.u64_at(self.sets as usize + 8 * set as usize));
        let period = first_bytes(others, 3);
        let is_customary = marks & IS_CUSTOMARY != 0;
        NamedEvent {
            name,
            code,
            auxiliary,
            flags: Flags::from_bits((flags & !IS_KEPT) as u16),
            threshold,
            counters,
            kept_to: if flags & IS_KEPT != 0 { counters } else { CounterSet::ALL },
            masks: self.masks((others >> 48) as usize),
            marks: Marks::from_bits(marks & !IS_CUSTOMARY),
            least: if is_customary { 0 } else { period },
            customary: if is_customary { period } else { 0 },
        }
    }

    /// Returns where the shape of an event is, the event's code, and its auxiliary value.
    pub(super) const fn code(&self, number: u16) -> (usize, u64, u64) {
        let row = self.u64_at(self.rows as usize + number as usize * (self.field + self.number) as usize);
        let field = first_bytes(row, self.field);
        let shape = first_bytes(row >> ((8 * self.field) & 63), self.number) as usize;
        let at = self.shapes as usize + SHAPE * shape;
        let of_code = self.u64_at(at);
        let [.., value] = of_code.to_le_bytes();
        match value {
            0 => (at, of_code << 16 | field, 0),
            BY_ROW => (at, first_bytes(of_code, 6), self.value(field as usize)),
            number => (at, of_code << 16 | field, self.value(number as usize - 1)),
        }
    }

    const fn value(&self, number: usize) -> u64 {
        first_bytes(self.u64_at(self.values as usize + self.value as usize * number), self.value)
    }

    const fn masks(&self, at: usize) -> UnitMasks {
        let list = self.from(at);
        match list.split_first_chunk() {
            Some((&[kind, count], rest)) if at != 0 => {
                let (width, has_fields) = (kind >> 4, kind & HAS_FIELDS != 0);
                let Some((default, rest)) = rest.split_at_checked(width as usize) else { return UnitMasks::NONE };
                let named = MaskNames::packed(rest, count, width, has_fields);
                UnitMasks { kind: kind_of(kind & 0x7), default: number(default), named }
            }
            _ => UnitMasks::NONE,
        }
    }

    /// Finds the event with the longest name that a text begins with, up to the end of a word, and returns its number and the
    /// length of the name. It compares the names in their order, which is slow: it is for constants.
    pub(super) const fn find_slowly(&self, text: &[u8]) -> Option<(usize, usize)> {
        let (mut event, mut at, mut alike, mut found) = (0, 0, 0, None);
        while event < self.len() {
            if event % BLOCK == 0 {
                at = self.u16_at(HEADER + 2 * (self.len() + event / BLOCK)) as usize;
            }
            let [shared, length] = self.u16_at(HEADER + 2 * event).to_le_bytes();
            let (shared, end) = (shared as usize, shared as usize + length as usize);
            // So many letters of the name before are those of the text.
            if shared <= alike {
                alike = shared;
                while alike < end && alike < text.len() && is_alike(self.bytes[at + alike - shared], text[alike]) {
                    alike += 1;
                }
                if alike == end && is_whole(text, end) {
                    found = Some((event, end));
                }
            }
            at += length as usize;
            event += 1;
        }
        found
    }

    /// Returns the numbers of an event's places in groups.
    pub(super) fn places(&self, number: usize) -> impl Iterator<Item = u16> + Clone + use<> {
        let (begin, at) = (|number| usize::from(self.u16_at(usize::from(self.places) + 2 * number)), number);
        let places = if self.places == 0 { 0..0 } else { begin(at)..begin(at + 1) };
        let bytes = self.bytes.get(places).unwrap_or_default();
        bytes.as_chunks().0.iter().map(|place| u16::from_le_bytes(*place))
    }
}

/// Returns the first bytes of a word, from one to eight.
#[inline]
const fn first_bytes(word: u64, bytes: u8) -> u64 {
    word & u64::MAX >> ((64 - 8 * bytes as u32) & 63)
}

/// Returns the number that these bytes are, at most eight.
const fn number(bytes: &[u8]) -> u64 {
    let (mut number, mut at) = (0, bytes.len());
    while at > 0 {
        at -= 1;
        number = number << 8 | bytes[at] as u64;
    }
    number
}

/// Returns true if these letters of a name and of a text are the same.
const fn is_alike(name: u8, text: u8) -> bool {
    name.eq_ignore_ascii_case(&text) || name == b'.' && text == b':'
}

/// Returns true if a name of this length ends where a word of the text does.
const fn is_whole(text: &[u8], length: usize) -> bool {
    length == text.len() || matches!(text[length], b'.' | b':')
}

const fn kind_of(number: u8) -> MaskKind {
    match number {
        1 => MaskKind::Mandatory,
        2 => MaskKind::Exclusive,
        3 => MaskKind::Bitmask,
        4 => MaskKind::Unlisted,
        _ => MaskKind::None,
    }
}

/// Returns the first unit mask of a packed list, whose numbers have so many bytes, and what follows it.
pub(super) const fn first_mask(list: &'static [u8], width: u8, has_fields: bool) -> Option<(UnitMask, &'static [u8])> {
    let Some((value, rest)) = list.split_at_checked(width as usize) else { return None };
    let Some((field, rest)) = rest.split_at_checked(if has_fields { width as usize } else { 0 }) else { return None };
    let Some((&length, rest)) = rest.split_first() else { return None };
    let Some((name, rest)) = rest.split_at_checked(length as usize) else { return None };
    let Ok(name) = str::from_utf8(name) else { return None };
    let decided = number(field);
    let is_all = !has_fields || decided == first_bytes(u64::MAX, width);
    Some((UnitMask { name, value: number(value), field: if is_all { u64::MAX } else { decided } }, rest))
}
