//! Packs the rows of a table into the bytes that `pmu::text::catalogue::Table` reads, which describes their layout.

use std::collections::{BTreeMap, BTreeSet};

use super::hash::Hasher;
use super::text::{Masks, Row};

/// The number of names in a block.
const BLOCK: usize = 8;
/// The number of events for each bucket.
const BUCKET: usize = 4;
/// The number of bits of an entry that are the number of an event.
const NUMBER: u32 = 11;
/// The length of the longest name.
const LONGEST: usize = 96;
/// The number of bytes of the header.
const HEADER: usize = 16;
/// An auxiliary value that so many codes need is part of a shape, others are chosen by the row.
const COMMON: usize = 3;
/// Set among the flags of a shape if a request is limited to the event's counters.
const IS_KEPT: u8 = 0x80;
/// Set among the marks of a shape if its period is the customary one.
const IS_CUSTOMARY: u8 = 0x80;
/// Set in the first byte of a list of masks if each has a field.
const HAS_FIELDS: u8 = 0x08;
/// In place of an auxiliary value's number in a shape: the row has it.
const BY_ROW: u8 = 0xFF;

/// Packs the rows, in any order, as one table.
///
/// # Errors
/// Two rows with one name, or what the layout has no room for.
pub(crate) fn pack(rows: &[Row]) -> Result<Vec<u8>, String> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|row| key(&row.name));
    if let Some(pair) = rows.windows(2).find(|pair| key(&pair[0].name) == key(&pair[1].name)) {
        return Err(format!("{} is there twice", pair[0].name));
    }
    let common = common_values(&rows);
    let packed = |field| Packed::of(&rows, field, &common);
    let smallest = (2..=6).map(packed).filter_map(Result::ok).min_by_key(Packed::size);
    smallest.map_or_else(|| packed(2), Ok)?.bytes(&rows)
}

/// Returns what names are sorted by.
fn key(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// The parts of a table whose size depends on the width of the rows' fields.
#[derive(Default)]
struct Packed {
    /// The number of bytes of a row's field.
    field: u8,
    /// The field and the number of the shape of each row.
    rows: Vec<(u64, usize)>,
    shapes: Vec<[u8; 16]>,
    sets: Vec<u64>,
    values: Vec<u64>,
    /// The lists of masks.
    masks: Vec<Vec<u8>>,
}

impl Packed {
    fn of(rows: &[Row], field: u8, common: &[u64]) -> Result<Self, String> {
        // Values that shapes have come first, because shapes number them in a byte.
        let mut packed = Self { field, values: common.to_vec(), ..Self::default() };
        for row in rows {
            packed.add(row, common.contains(&row.auxiliary))?;
        }
        Ok(packed)
    }

    fn add(&mut self, row: &Row, is_common: bool) -> Result<(), String> {
        let limit = 1_u64 << (8 * self.field);
        let value = if row.auxiliary == 0 { 0 } else { number_of(&mut self.values, row.auxiliary) };
        let (field, high, number) = match row.auxiliary {
            0 => (row.code % limit, row.code - row.code % limit, 0),
            _ if is_common => (row.code % limit, row.code - row.code % limit, narrow(value + 1, BY_ROW)?),
            _ => (value as u64, row.code << 16, BY_ROW),
        };
        if number == BY_ROW && row.code >> 48 != 0 || field >= limit {
            return Err(format!("the code of {} has no room", row.name));
        }
        let set = narrow(number_of(&mut self.sets, row.counters), u8::MAX)?;
        let mut shape = [0; 16];
        shape[..6].copy_from_slice(&high.to_le_bytes()[2..]);
        (shape[6], shape[7]) = (set, number);
        shape[8..12].copy_from_slice(&period(row)?);
        shape[12] = row.flags | if row.is_kept { IS_KEPT } else { 0 };
        shape[13] = row.threshold;
        // Not yet where the masks are, but their number from 1.
        let masks = row.masks.as_ref().map_or(Ok(0), |masks| Ok(number_of(&mut self.masks, list(masks)?) + 1));
        shape[14..].copy_from_slice(&(masks.map_err(|it: String| it)? as u16).to_le_bytes());
        let shape = number_of(&mut self.shapes, shape);
        self.rows.push((field, shape));
        Ok(())
    }

    /// Returns the number of bytes of a shape's number in a row.
    fn number(&self) -> u8 {
        if self.shapes.len() > 0x100 { 2 } else { 1 }
    }

    /// Returns the number of bytes of what depends on the width of fields.
    fn size(&self) -> usize {
        self.rows.len() * usize::from(self.field + self.number()) + 16 * self.shapes.len()
    }

    fn bytes(mut self, rows: &[Row]) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; HEADER];
        bytes[..2].copy_from_slice(&offset(rows.len())?);
        let width = self.values.iter().map(|&value| width(value)).max().unwrap_or(1);
        (bytes[2], bytes[3]) = (self.field, self.number() | width << 4);
        add_names(&mut bytes, rows)?;
        begin(&mut bytes, 12)?;
        add_index(&mut bytes, rows)?;
        begin(&mut bytes, 4)?;
        let number = self.number().into();
        for (field, shape) in &self.rows {
            bytes.extend(&field.to_le_bytes()[..self.field.into()]);
            bytes.extend(&shape.to_le_bytes()[..number]);
        }
        let shapes = begin(&mut bytes, 6)?;
        bytes.resize(shapes + 16 * self.shapes.len(), 0);
        begin(&mut bytes, 8)?;
        bytes.extend(self.sets.iter().flat_map(|set| set.to_le_bytes()));
        begin(&mut bytes, 10)?;
        bytes.extend(self.values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(width.into())));
        let mut lists = vec![[0; 2]];
        for list in &self.masks {
            lists.push(offset(bytes.len())?);
            bytes.extend(list);
        }
        for (shape, place) in self.shapes.iter_mut().zip(bytes[shapes..].chunks_exact_mut(16)) {
            let masks = usize::from(u16::from_le_bytes([shape[14], shape[15]]));
            shape[14..].copy_from_slice(&lists[masks]);
            place.copy_from_slice(shape);
        }
        add_places(&mut bytes, rows)?;
        // Eight bytes can be read from wherever a number begins.
        bytes.extend([0; 8]);
        offset(bytes.len()).map(|_| bytes)
    }
}

/// Returns the auxiliary values that several codes need, in the order of the rows.
fn common_values(rows: &[Row]) -> Vec<u64> {
    let mut codes = BTreeMap::<_, BTreeSet<_>>::new();
    for row in rows.iter().filter(|row| row.auxiliary != 0) {
        codes.entry(row.auxiliary).or_default().insert(row.code);
    }
    let mut common = Vec::new();
    for row in rows.iter().filter(|row| codes.get(&row.auxiliary).is_some_and(|codes| codes.len() >= COMMON)) {
        number_of(&mut common, row.auxiliary);
    }
    common
}

fn add_names(bytes: &mut Vec<u8>, rows: &[Row]) -> Result<(), String> {
    let (mut heads, mut blocks, mut letters) = (Vec::new(), Vec::new(), Vec::new());
    let first = bytes.len() + 2 * (rows.len() + rows.len().div_ceil(BLOCK));
    for block in rows.chunks(BLOCK) {
        blocks.extend(offset(first + letters.len())?);
        let mut before = "";
        for Row { name, .. } in block {
            let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-/".contains(&byte);
            if name.len() > LONGEST || !name.bytes().all(is_letter) {
                return Err(format!("{name} cannot be a name"));
            }
            let shared = before.bytes().zip(name.bytes()).take_while(|(one, other)| one == other).count();
            let others = &name.as_bytes()[shared..];
            heads.extend([narrow(shared, u8::MAX)?, narrow(others.len(), u8::MAX)?]);
            letters.extend(others);
            before = name;
        }
    }
    bytes.extend([heads, blocks, letters].concat());
    Ok(())
}

/// Adds the numbers of the events by the hashes of their names.
fn add_index(bytes: &mut Vec<u8>, rows: &[Row]) -> Result<(), String> {
    if rows.len() > 1 << NUMBER {
        return Err(format!("a table has room for {} events", 1 << NUMBER));
    }
    let hash = |row: &Row| Hasher::new(row.name.as_bytes()).of_first(row.name.len());
    let mut buckets = vec![Vec::new(); rows.len().div_ceil(BUCKET)];
    let count = buckets.len() as u64;
    for (number, row) in rows.iter().enumerate() {
        let bucket = (u64::from(hash(row)) * count) >> 32;
        buckets[bucket as usize].push((hash(row) << NUMBER) as u16 | number as u16);
    }
    let mut first = 0;
    for bucket in &buckets {
        bytes.extend(offset(first)?);
        first += bucket.len();
    }
    bytes.extend(offset(first)?);
    bytes.extend(buckets.concat().into_iter().flat_map(u16::to_le_bytes));
    Ok(())
}

fn add_places(bytes: &mut Vec<u8>, rows: &[Row]) -> Result<(), String> {
    if rows.iter().all(|row| row.places.is_empty()) {
        return Ok(());
    }
    let mut at = begin(bytes, 14)? + 2 * (rows.len() + 1);
    for row in rows {
        bytes.extend(offset(at)?);
        at += 2 * row.places.len();
    }
    bytes.extend(offset(at)?);
    bytes.extend(rows.iter().flat_map(|row| &row.places).flat_map(|place| place.to_le_bytes()));
    Ok(())
}

/// Returns the shortest or the customary period of a row in three bytes, and its marks.
fn period(row: &Row) -> Result<[u8; 4], String> {
    let (period, kind) = match (row.least, row.every) {
        (least, 0) => (least, 0),
        (0, every) => (every, IS_CUSTOMARY),
        _ => return Err(format!("{} has two periods", row.name)),
    };
    let [first, second, third, 0] = period.to_le_bytes() else {
        return Err(format!("the period of {} has more than 24 bits", row.name));
    };
    Ok([first, second, third, kind | row.marks])
}

/// Returns how many bytes a number has.
fn width(number: u64) -> u8 {
    (8 - (number.leading_zeros() / 8) as u8).max(1)
}

fn list(Masks { default, list }: &Masks) -> Result<Vec<u8>, String> {
    let is_all = |field: u32| field == u32::MAX;
    let has_fields = list.masks.iter().any(|mask| !is_all(mask.field));
    let fields = list.masks.iter().map(|mask| mask.field).filter(|field| !is_all(*field));
    let numbers = list.masks.iter().map(|mask| mask.value).chain(fields).chain([*default]);
    let width = numbers.map(|number| width(number.into())).max().unwrap_or(1);
    let number = |number: u32| u64::from(number).to_le_bytes().into_iter().take(width.into());
    let kind = list.kind | if has_fields { HAS_FIELDS } else { 0 } | width << 4;
    let mut bytes = vec![kind, narrow(list.masks.len(), u8::MAX)?];
    bytes.extend(number(*default));
    for mask in &list.masks {
        bytes.extend(number(mask.value));
        if has_fields {
            bytes.extend(number(mask.field));
        }
        bytes.push(narrow(mask.name.len(), u8::MAX)?);
        bytes.extend(mask.name.as_bytes());
    }
    Ok(bytes)
}

/// Writes into the header where the next part begins, and returns it.
fn begin(bytes: &mut [u8], at: usize) -> Result<usize, String> {
    let begin = bytes.len();
    bytes[at..at + 2].copy_from_slice(&offset(begin)?);
    Ok(begin)
}

fn offset(at: usize) -> Result<[u8; 2], String> {
    u16::try_from(at).map(u16::to_le_bytes).map_err(|_| "the table has more than 65535 bytes".to_owned())
}

fn narrow(number: usize, limit: u8) -> Result<u8, String> {
    u8::try_from(number).ok().filter(|&it| it < limit).ok_or(format!("{number} is more than the layout has room for"))
}

/// Returns the number of an entry, which is added if it is new.
fn number_of<T: PartialEq>(entries: &mut Vec<T>, entry: T) -> usize {
    entries.iter().position(|known| *known == entry).unwrap_or_else(|| {
        entries.push(entry);
        entries.len() - 1
    })
}
