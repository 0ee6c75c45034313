//! A table of events as bytes, and how its rows are read.
//!
//! The generator (`cargo xtask events generate`) writes tables from the text files beside them. A table contains no
//! addresses, so nothing has to be relocated in it. Numbers are little-endian, and offsets are from the first byte.
//!
//! ```text
//! header   the number of events, two widths, and where each part begins
//! heads    where each block of 16 names begins
//! names    each: how many letters it shares with the name before it in its block, how many follow, and these
//! rows     each: a field, and the number of a shape; both are as wide as the header says
//! shapes   what events have in common: the high bits of the code, counters, flags, threshold, masks, shortest period
//! sets     sets of counters, to which shapes refer
//! values   values of auxiliary registers
//! masks    lists of unit masks, to which shapes refer: kind, number, default; value, field and name of each
//! places   where the places of each event begin, and the places
//! ```
//! A row's field is the low bits of the code, at least 16, and the shape has the others. If the shape says so, the field is
//! the number of an auxiliary value, and the shape has the whole code.

use super::event_name::Text;
use super::{EventName, MaskKind, MaskNames, NamedEvent, UnitMask, UnitMasks};
use crate::event::{CounterSet, Flags};

/// The number of names in a block.
pub(super) const BLOCK: usize = 16;
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
    places: u16,
}

impl Table {
    /// A table without events.
    pub(super) const EMPTY: Self =
        Self { bytes: &[], events: 0, field: 0, number: 0, rows: 0, shapes: 0, sets: 0, values: 0, places: 0 };

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

    /// Returns the number of blocks of names.
    pub(super) const fn blocks(&self) -> usize {
        self.len().div_ceil(BLOCK)
    }

    /// Returns what follows the beginning of a block's first name.
    #[inline]
    pub(super) fn block(&self, number: usize) -> &'static [u8] {
        self.from(self.u16_at(HEADER + 2 * number).into())
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

    /// Returns a number of so many bytes.
    #[inline]
    fn number_at(&self, at: usize, bytes: u8) -> u64 {
        let bits = 8 * u32::from(bytes);
        self.u64_at(at) & 1_u64.checked_shl(bits).map_or(u64::MAX, |limit| limit - 1)
    }

    /// Returns the name of an event.
    pub(super) fn name(&self, number: usize) -> Text {
        let (mut text, mut names) = (Text::EMPTY, self.block(number / BLOCK));
        for _ in 0..=number % BLOCK {
            let Some((entry, rest)) = Entry::first_of(names) else { break };
            text.replace_from(entry.shared, entry.letters.get(..entry.length).unwrap_or_default());
            names = rest;
        }
        text
    }

    /// Returns an event without its name.
    pub(super) fn row(&self, number: usize, name: EventName) -> NamedEvent {
        let at = usize::from(self.rows) + number * usize::from(self.field + self.number);
        let field = self.number_at(at, self.field);
        let shape = self.number_at(at + usize::from(self.field), self.number) as usize;
        let shape = self.from(usize::from(self.shapes) + SHAPE * shape).first_chunk().copied().unwrap_or([0; SHAPE]);
        let [c0, c1, c2, c3, c4, c5, set, value, l0, l1, l2, l3, flags, threshold, m0, m1] = shape;
        let whole = u64::from_le_bytes([c0, c1, c2, c3, c4, c5, 0, 0]);
        let high = whole << 16;
        let counters = CounterSet::from_bits(self.u64_at(usize::from(self.sets) + 8 * usize::from(set)));
        let value_of = |number: usize| self.u64_at(usize::from(self.values) + 8 * number);
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
            masks: self.masks(u16::from_le_bytes([m0, m1]).into()),
            least: u32::from_le_bytes([l0, l1, l2, l3]).into(),
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

const fn kind_of(number: u8) -> MaskKind {
    match number {
        1 => MaskKind::Mandatory,
        2 => MaskKind::Exclusive,
        3 => MaskKind::Bitmask,
        4 => MaskKind::Unlisted,
        _ => MaskKind::None,
    }
}

/// A name in a block: how many letters it shares with the one before it, and the others, with what follows them.
pub(super) struct Entry {
    pub(super) shared: usize,
    pub(super) letters: &'static [u8],
    /// The number of the other letters.
    pub(super) length: usize,
}

impl Entry {
    /// Returns the first name, and what follows it.
    #[inline]
    pub(super) fn first_of(names: &'static [u8]) -> Option<(Self, &'static [u8])> {
        let (&[shared, length], letters) = names.split_first_chunk()?;
        let (shared, length) = (shared.into(), length.into());
        Some((Self { shared, letters, length }, letters.get(length..)?))
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
