//! Reads tables of events as people edit them: one line an event.
//!
//! ```text
//! # a comment
//! masks mesi bitmask M=0x8 E=0x4 S=0x2 I=0x1
//!
//! L2_LINES_IN     0x0024  0-1
//! L2_LD           0x0029  0-1  least=500 masks=mesi:0xf
//! OFFCORE.READS   0x01B7  0-3  only beside=0x10001
//! ```
//! A line has the event's name, its code, the counters that have it (`0-3,32`, or `-` for none), and words:
//!
//! | word | meaning |
//! |---|---|
//! | `only` | a request is limited to these counters: on others the code is another event's |
//! | `beside=N` | the value of an auxiliary register |
//! | `threshold=N` | count the cycles with at least so many |
//! | `edge`, `invert`, `equal`, `any-thread`, `pin-control` | flags that are part of the event |
//! | `least=N` | the shortest period that OProfile allows |
//! | `every=N` | the customary period: what its maker's list samples it with |
//! | `precise`, `alone`, `deprecated` | what its maker's list says: its debug store samples it precisely; count it alone; another name has taken its place |
//! | `errata=A,B` | the errata that its maker's list names. The table has a mark that there are any |
//! | `masks=NAME:DEFAULT` | unit masks that can be chosen, by the name of their list, and the default; `unlisted` is any |
//! | `places=16,2f` | the places in groups, in hexadecimal: the counter in the last digit, the group before it |
//!
//! A list of masks has a name, a kind (`mandatory`, `exclusive` or `bitmask`) and the masks in the order of their values.
//! A mask that decides some bits alone has these after a `/`.

/// An event of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) code: u64,
    pub(crate) counters: u64,
    pub(crate) is_kept: bool,
    pub(crate) auxiliary: u64,
    pub(crate) threshold: u8,
    pub(crate) flags: u8,
    pub(crate) least: u32,
    pub(crate) every: u32,
    pub(crate) marks: u8,
    pub(crate) masks: Option<Masks>,
    pub(crate) places: Vec<u16>,
}

/// The unit masks of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Masks {
    pub(crate) default: u32,
    pub(crate) list: List,
}

/// A list of unit masks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct List {
    pub(crate) kind: u8,
    pub(crate) masks: Vec<Mask>,
}

/// A unit mask: its name, its value, and the bits that it decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mask {
    pub(crate) name: String,
    pub(crate) value: u32,
    pub(crate) field: u32,
}

/// The kinds of lists, in the order of their numbers from 1.
const KINDS: [&str; 4] = ["mandatory", "exclusive", "bitmask", "unlisted"];
/// The flags, in the order of their bits.
const FLAGS: [&str; 5] = ["edge", "invert", "equal", "any-thread", "pin-control"];

/// Reads a file.
///
/// # Errors
/// The number of the first line that is wrong, and why.
pub(crate) fn read(text: &str) -> Result<Vec<Row>, String> {
    let (mut lists, mut rows) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let read = match line.strip_prefix("masks ") {
            _ if line.is_empty() || line.starts_with('#') => Ok(()),
            Some(list) => read_list(list).map(|list| lists.push(list)),
            None => row(line, &lists).map(|row| rows.push(row)),
        };
        read.map_err(|reason| format!("line {}: {reason}: {line}", number + 1))?;
    }
    Ok(rows)
}

fn read_list(line: &str) -> Result<(String, List), String> {
    let mut words = line.split_whitespace();
    let name = words.next().ok_or("a name is missing")?;
    let kind = words.next().and_then(|word| KINDS.iter().position(|kind| *kind == word)).ok_or("no such kind")?;
    let masks = words.map(mask).collect::<Result<_, _>>()?;
    Ok((name.to_owned(), List { kind: kind as u8 + 1, masks }))
}

fn mask(word: &str) -> Result<Mask, String> {
    let (name, value) = word.split_once('=').ok_or("a mask is NAME=VALUE")?;
    let (value, field) = value.split_once('/').unwrap_or((value, "0xffffffff"));
    Ok(Mask { name: name.to_owned(), value: short(value)?, field: short(field)? })
}

fn row(line: &str, lists: &[(String, List)]) -> Result<Row, String> {
    let mut words = line.split_whitespace();
    let mut next = |what: &str| words.next().ok_or(format!("{what} is missing"));
    let (name, code, counters) = (next("the name")?, next("the code")?, next("the counters")?);
    let mut row = Row {
        name: name.to_owned(),
        code: number(code)?,
        counters: set(counters)?,
        is_kept: false,
        auxiliary: 0,
        threshold: 0,
        flags: 0,
        least: 0,
        every: 0,
        marks: 0,
        masks: None,
        places: Vec::new(),
    };
    words.try_for_each(|word| row.refine(word, lists)).map(|()| row)
}

impl Row {
    fn refine(&mut self, word: &str, lists: &[(String, List)]) -> Result<(), String> {
        match word.split_once('=').unwrap_or((word, "")) {
            ("only", "") => self.is_kept = true,
            ("beside", value) => self.auxiliary = number(value)?,
            ("threshold", value) => self.threshold = short(value)?.try_into().map_err(|_| "it is above 255")?,
            ("least", value) => self.least = short(value)?,
            ("every", value) => self.every = short(value)?,
            ("deprecated", "") => self.marks |= 1,
            ("errata", _) => self.marks |= 1 << 1,
            ("precise", "") => self.marks |= 1 << 2,
            ("alone", "") => self.marks |= 1 << 3,
            ("masks", value) => self.masks = Some(masks(value, lists)?),
            ("places", value) => self.places = value.split(',').map(place).collect::<Result<_, _>>()?,
            (flag, "") => {
                let bit = FLAGS.iter().position(|known| *known == flag).ok_or(format!("no such word: {flag}"))?;
                self.flags |= 1 << bit;
            }
            _ => return Err(format!("no such word: {word}")),
        }
        Ok(())
    }
}

fn masks(word: &str, lists: &[(String, List)]) -> Result<Masks, String> {
    let (name, default) = word.split_once(':').ok_or("the default mask is missing")?;
    let unlisted = List { kind: KINDS.len() as u8, masks: Vec::new() };
    let list = lists.iter().find(|(known, _)| known == name).map(|(_, list)| list.clone());
    let list = list.or((name == "unlisted").then_some(unlisted)).ok_or(format!("no such list of masks: {name}"))?;
    Ok(Masks { default: short(default)?, list })
}

fn place(word: &str) -> Result<u16, String> {
    u16::from_str_radix(word, 16).map_err(|reason| format!("{reason}: {word}"))
}

fn set(word: &str) -> Result<u64, String> {
    if word == "-" {
        return Ok(0);
    }
    word.split(',').try_fold(0, |bits, range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (short(first)?, short(last)?);
        if first > last || last > 63 { Err(format!("no such counters: {range}")) } else { Ok(bits | span(first, last)) }
    })
}

fn span(first: u32, last: u32) -> u64 {
    u64::MAX >> (63 - last) & u64::MAX << first
}

fn number(word: &str) -> Result<u64, String> {
    let parsed = word.strip_prefix("0x").map_or_else(|| word.parse(), |digits| u64::from_str_radix(digits, 16));
    parsed.map_err(|reason| format!("{reason}: {word}"))
}

fn short(word: &str) -> Result<u32, String> {
    number(word)?.try_into().map_err(|_| format!("it has more than 32 bits: {word}"))
}
