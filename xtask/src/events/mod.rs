//! `cargo xtask events generate`: packs the tables of events.
//!
//! A family's folder `catalogue` has text files with one line an event ([`text`] describes them), and `tables.txt`, which
//! says which of them make up which table. From these are written `tables.bin`, the tables one behind the other, and
//! `tables.rs`, which says where each of them lies. Both are checked in: the library needs no build script, and its package
//! leaves the text out. A test compares them with the text files.

pub(crate) mod convert;
#[path = "../../../src/event/catalogue/hash.rs"]
mod hash;
mod pack;
mod print;
mod text;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, anyhow};

use self::print::tables_in_rust;
use self::text::Row;
use crate::place;

/// Doubles the shortest periods of a table.
const LEAST_TWICE: &str = "least*2";

/// A table of events as bytes.
struct Table {
    name: String,
    bytes: Vec<u8>,
}

/// Writes the tables of one folder, which is a kernel's own, or all tables of this repository.
///
/// # Errors
/// A text file is wrong; the error names the file and the line.
pub(crate) fn generate(folder: Option<PathBuf>) -> Result<()> {
    let folders = folder.map_or_else(|| folders(place::root()), |folder| Ok(vec![folder]))?;
    for folder in folders {
        let Generated { bytes, rust } = Generated::from(&folder)?;
        fs::write(folder.join("tables.bin"), bytes)?;
        fs::write(folder.join("tables.rs"), rust)?;
    }
    Ok(())
}

/// Runs the example that answers questions about events. It is built when it is asked for, so that the tables can be written
/// even while the library does not compile.
///
/// # Errors
/// There is no cargo.
pub(crate) fn show(words: impl Iterator<Item = String>) -> Result<ExitCode> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(place::root()).args(["run", "--quiet", "--example", "events", "--"]).args(words);
    let is_good = cargo.status().context("cannot run cargo")?.success();
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns all tables of this repository, each with its name, as they are in a program that uses them.
///
/// # Errors
/// A text file is wrong.
pub(crate) fn packed() -> Result<Vec<(String, Vec<u8>)>> {
    let mut all = Vec::new();
    for folder in folders(place::root())? {
        all.extend(tables(&folder)?.into_iter().map(|table| (table.name, table.bytes)));
    }
    Ok(all)
}

/// What is written into a folder.
struct Generated {
    /// `tables.bin`.
    bytes: Vec<u8>,
    /// `tables.rs`.
    rust: String,
}

impl Generated {
    fn from(folder: &Path) -> Result<Self> {
        let library = if folder.starts_with(place::root().join("arch")) { "crate::event" } else { "pmu::text" };
        let tables = tables(folder)?;
        let bytes = tables.iter().flat_map(|table| &table.bytes).copied().collect();
        Ok(Self { bytes, rust: tables_in_rust(library, feature(folder).as_deref(), &tables) })
    }
}

/// Returns the feature without which the tables of one of the library's families have no events: the vendor's, which is named
/// like the instruction set unless that has several or another name.
fn feature(folder: &Path) -> Option<String> {
    let family = folder.strip_prefix(place::root().join("arch")).ok()?;
    let vendor = match family.iter().next()?.to_str()? {
        "x86" if family.starts_with("x86/amd") => "amd",
        "x86" => "intel",
        "aarch64" => "arm",
        set => set,
    };
    Some(format!("events-{vendor}"))
}

/// Returns the folders that have tables: those of the library's families, and those of the test kernels.
fn folders(root: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = vec![root.join("kernel-test/x86/src/catalogue")];
    for architecture in fs::read_dir(root.join("arch"))? {
        let architecture = architecture?.path();
        if architecture.is_dir() {
            let families = fs::read_dir(architecture)?.map(|family| Ok(family?.path().join("catalogue")));
            folders.extend(families.collect::<Result<Vec<_>>>()?);
        }
    }
    folders.retain(|folder| folder.join("tables.txt").exists());
    folders.sort();
    Ok(folders)
}

/// Reads the tables of a family and packs them.
fn tables(folder: &Path) -> Result<Vec<Table>> {
    let packed = |(name, rows): (String, Vec<Row>)| match pack::pack(&rows) {
        Ok(bytes) => Ok(Table { name, bytes }),
        Err(reason) => Err(anyhow!("in the table {name}: {reason}")),
    };
    listed(folder)?.into_iter().map(packed).collect()
}

/// Reads the tables of a family: the name and the rows of each.
fn listed(folder: &Path) -> Result<Vec<(String, Vec<Row>)>> {
    let list = read(&folder.join("tables.txt"))?;
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| table(folder, line).with_context(|| format!("in the table {line}"))).collect()
}

/// Reads a table: its name, and the files that make it up.
fn table(folder: &Path, line: &str) -> Result<(String, Vec<Row>)> {
    let mut words = line.split_whitespace();
    let name = words.next().context("the name is missing")?.to_owned();
    let (mut rows, mut factor) = (Vec::new(), 1);
    for word in words {
        match word {
            LEAST_TWICE => factor = 2,
            part => rows.extend(rows_of(&folder.join(part).with_extension("txt"))?),
        }
    }
    rows.iter_mut().for_each(|row| row.least *= factor);
    Ok((name, rows))
}

fn rows_of(path: &Path) -> Result<Vec<Row>> {
    text::read(&read(path)?).map_err(|reason| anyhow!("{}, {reason}", path.display()))
}

/// Returns how many rows a text file has.
#[cfg(test)]
pub(crate) fn rows_in(text: &str) -> Result<usize, String> {
    text::read(text).map(|rows| rows.len())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_of_the_text_files() {
        let folders = folders(place::root()).unwrap();
        assert!(!folders.is_empty());
        for folder in folders {
            let written = |file| fs::read(folder.join(file)).unwrap_or_default();
            let Generated { bytes, rust } = Generated::from(&folder).unwrap();
            let is_current = written("tables.bin") == bytes && written("tables.rs") == rust.as_bytes();
            assert!(is_current, "the tables of {} are old: run cargo xtask events generate", folder.display());
        }
    }

    /// An event's, or a unit mask's of an event.
    #[test]
    fn a_name_that_can_be_typed_costs_at_most_22_bytes() {
        let folders = folders(place::root()).unwrap();
        let rows: Vec<_> =
            folders.iter().flat_map(|folder| listed(folder).unwrap()).flat_map(|(_, rows)| rows).collect();
        let masks = rows.iter().filter_map(|row| row.masks.as_ref()).flat_map(|masks| &masks.list.masks);
        let names = rows.len() + masks.filter(|mask| !mask.name.is_empty()).count();
        let bytes: usize = packed().unwrap().iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(bytes <= 22 * names, "{bytes} bytes for {names} names: {} each", bytes.div_ceil(names));
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        for (text, reason) in [
            ("\nCYCLES 0x3C", "line 2: the counters is missing: CYCLES 0x3C"),
            ("CYCLES 3C 0-1", "line 1: invalid digit found in string: 3C: CYCLES 3C 0-1"),
            ("CYCLES 0x3C 0-64", "line 1: no such counters: 0-64: CYCLES 0x3C 0-64"),
            ("CYCLES 0x3C 0 masks=mesi:0", "line 1: no such list of masks: mesi: CYCLES 0x3C 0 masks=mesi:0"),
            ("CYCLES 0x3C 0 twice", "line 1: no such word: twice: CYCLES 0x3C 0 twice"),
        ] {
            assert_eq!(text::read(text), Err(reason.to_owned()));
        }
    }

    #[test]
    fn a_name_that_is_there_twice_is_an_error() {
        let rows = text::read("CYCLES 1 0\ncycles 2 0").unwrap();
        assert_eq!(pack::pack(&rows), Err("CYCLES is there twice".to_owned()));
    }
}
