//! Reads the lists of FreeBSD's source: `lib/libpmc/pmu-events/arch`, which is perf's, and the tables of C in
//! `sys/dev/hwpmc`, which have had Intel's names too until version 12.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use pmu::CounterSet;
use pmu::request::Flags;
use pmu::text::notation::Perfmon;

use super::{Row, perf};

/// Those classes of `__PMC_EV(CLASS, NAME)` of which we have a driver, each with the processor.
const CLASSES: [(&str, &str); 9] = [
    ("K7", "athlon"),
    ("K8", "hammer"),
    ("MIPS24K", "24K"),
    ("MIPS74K", "74K"),
    ("OCTEON", "octeon"),
    ("P5", "p5"),
    ("P6", "pm"),
    ("PPC7450", "ppc/7450"),
    ("PPC970", "970"),
];

/// Reads what the folder has of both.
///
/// # Errors
/// A file is wrong; the error names it.
pub(super) fn rows(folder: &Path) -> Result<Vec<Row>> {
    let json = folder.join("lib/libpmc/pmu-events/arch");
    let mut rows = if json.is_dir() { perf::rows(&json)? } else { Vec::new() };
    let drivers = folder.join("sys/dev/hwpmc");
    let path = drivers.join("pmc_events.h");
    let events = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let codes = codes(&fs::read_to_string(drivers.join("hwpmc_amd.c")).context("hwpmc_amd.c")?);
    let mut processor = String::new();
    for line in events.lines() {
        if let Some((_, name)) = line.split_once("__PMC_EV_ALIAS_").filter(|_| line.starts_with("#define")) {
            processor = name.split('(').next().unwrap_or_default().to_lowercase();
        } else if let Some((name, code)) = line.strip_prefix("__PMC_EV_ALIAS(").and_then(alias) {
            rows.push(row(&processor, name, name, code));
        } else if let Some((class, name)) = line.strip_prefix("__PMC_EV(").and_then(|line| line.split_once(", ")) {
            let name = name.trim().split(')').next().unwrap_or_default();
            let known = CLASSES.iter().find(|(known, _)| *known == class);
            rows.extend(
                known.map(|(_, processor)| row(processor, name, name, codes.get(&format!("{class}_{name}")).copied())),
            );
        }
    }
    Ok(rows)
}

/// Parses `"NAME", IAP_EVENT_04H_07H)`.
fn alias(line: &str) -> Option<(&str, Option<u64>)> {
    let (name, code) = line.strip_prefix('"')?.split_once('"')?;
    let numbers = code.split("IAP_EVENT_").nth(1)?.split(')').next()?.split('_');
    let numbers: Option<Vec<_>> =
        numbers.map(|number| u64::from_str_radix(number.strip_suffix('H')?, 16).ok()).collect();
    match numbers.as_deref() {
        Some([code, mask]) => Some((name, Some(code | mask << 8))),
        _ => Some((name, None)),
    }
}

/// Returns AMD's codes by class and name: `{ PMC_EV_K8_DC_ACCESS, 0x40, 0x00 }`.
fn codes(text: &str) -> BTreeMap<String, u64> {
    let entries = text.split("PMC_EV_").skip(1).filter_map(|entry| {
        let (name, rest) = entry.split_once(',')?;
        let code = rest.trim_start().strip_prefix("0x")?.get(..2)?;
        Some((name.to_owned(), u64::from_str_radix(code, 16).ok()?))
    });
    entries.collect()
}

/// `code` has the unit mask, but for AMD's, where the user gives it.
fn row(processor: &str, name: &str, text: &str, code: Option<u64>) -> Row {
    let is_amd = ["athlon", "hammer"].contains(&processor);
    Row {
        processor: processor.to_owned(),
        name: name.to_owned(),
        text: text.to_owned(),
        parse: Perfmon::parse,
        codes: code.into_iter().collect(),
        bits: if is_amd { 0xFF } else { u64::MAX },
        auxiliary: 0,
        threshold: 0,
        flags: Flags::NONE,
        counters: None::<CounterSet>,
    }
}
