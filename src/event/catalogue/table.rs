//! A table of events as bytes, and how its rows are read.
//!
//! The generator (`cargo xtask events generate`) writes tables from the text files beside them. A table contains no
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
//! shapes   what events have in common: the high bits of the code, counters, flags, threshold, masks, shortest period
//! sets     sets of counters, to which shapes refer
//! values   values of auxiliary registers
//! masks    lists of unit masks, to which shapes refer: kind, number, default; value, field and name of each
//! places   where the places of each event begin, and the places
//! ```
//! A row's field is the low bits of the code, at least 16, and the shape has the others. If the shape says so, the field is
//! the number of an auxiliary value, and the shape has the whole code.

use core::ops::Range;

use super::event_name::Text;
use super::order::{are_alike, eight_from};
use super::{EventName, MaskKind, MaskNames, NamedEvent, UnitMask, UnitMasks};
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

/// A table of events as bytes.
#[derive(Debug)]
pub struct Table {
    bytes: &'static [u8],
    events: u16,
    field: u8,
    number: u8,
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
            number: bytes[3],
            rows: at(bytes, 4),
            shapes: at(bytes, 6),
            sets: at(bytes, 8),
            values: at(bytes, 10),
            buckets: at(bytes, 12),
            places: at(bytes, 14),
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
    fn from(&self, at: usize) -> &'static [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    #[inline]
    fn u16_at(&self, at: usize) -> u16 {
        self.from(at).first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes))
    }

    fn u64_at(&self, at: usize) -> u64 {
        self.from(at).first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
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
    pub(super) fn row(&self, number: usize, name: EventName) -> NamedEvent {
        let row = self.u64_at(usize::from(self.rows) + number * usize::from(self.field + self.number));
        let field = first_bytes(row, self.field);
        let shape = first_bytes(row >> ((8 * self.field) & 63), self.number) as usize;
        let at = usize::from(self.shapes) + SHAPE * shape;
        let (of_code, others) = (self.u64_at(at), self.u64_at(at + 8));
        let [_, _, _, _, _, _, set, value] = of_code.to_le_bytes();
        let [_, _, _, _, flags, threshold, _, _] = others.to_le_bytes();
        let counters = CounterSet::from_bits(self.u64_at(usize::from(self.sets) + 8 * usize::from(set)));
        let value_of = |number: usize| self.u64_at(usize::from(self.values) + 8 * number);
        let (whole, high) = (first_bytes(of_code, 6), of_code << 16);
        let (code, auxiliary) = match value {
            0 => (high | field, 0),
            BY_ROW => (whole, value_of(field as usize)),
            number => (high | field, value_of(usize::from(number) - 1)),
        };
        NamedEvent {
            name,
            code,
            auxiliary,
            flags: Flags::from_bits(u16::from(flags & !IS_KEPT)),
            threshold,
            counters,
            kept_to: if flags & IS_KEPT != 0 { counters } else { CounterSet::ALL },
            masks: self.masks((others >> 48) as usize),
            least: first_bytes(others, 4),
        }
    }

    fn masks(&self, at: usize) -> UnitMasks {
        let list = self.from(at);
        match list.first_chunk() {
            Some(&[kind, count, d0, d1, d2, d3]) if at != 0 => UnitMasks {
                kind: kind_of(kind),
                default: u32::from_le_bytes([d0, d1, d2, d3]).into(),
                named: MaskNames::packed(list.get(6..).unwrap_or_default(), count),
            },
            _ => UnitMasks::NONE,
        }
    }

    /// Returns the numbers of an event's places in groups.
    pub(super) fn places(&self, number: usize) -> impl Iterator<Item = u16> + Clone + use<> {
        let (begin, at) = (|number| usize::from(self.u16_at(usize::from(self.places) + 2 * number)), number);
        let places = if self.places == 0 { 0..0 } else { begin(at)..begin(at + 1) };
        let bytes = self.bytes.get(places).unwrap_or_default();
        bytes.as_chunks().0.iter().map(|place| u16::from_le_bytes(*place))
    }
}

/// Returns the first bytes of a word, from one to seven.
#[inline]
const fn first_bytes(word: u64, bytes: u8) -> u64 {
    word & !(u64::MAX << ((8 * bytes) & 63))
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

/// Returns the first unit mask of a packed list, and what follows it.
pub(super) fn first_mask(list: &'static [u8]) -> Option<(UnitMask, &'static [u8])> {
    let (&[v0, v1, v2, v3, f0, f1, f2, f3, length], rest) = list.split_first_chunk()?;
    let (name, rest) = rest.split_at_checked(length.into())?;
    let field = u32::from_le_bytes([f0, f1, f2, f3]);
    let mask = UnitMask {
        name: str::from_utf8(name).unwrap_or_default(),
        value: u32::from_le_bytes([v0, v1, v2, v3]).into(),
        field: if field == u32::MAX { u64::MAX } else { field.into() },
    };
    Some((mask, rest))
}
