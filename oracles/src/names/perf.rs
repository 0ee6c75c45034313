//! Reads the JSON of Linux' perf (tools/perf/pmu-events/arch), of FreeBSD (lib/libpmc/pmu-events/arch), which has the same
//! layout, and of Intel's repository perfmon.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use pmu::CounterSet;
use pmu::request::{Flag, Flags};
use pmu::text::notation::Perfmon;
use serde_json::Value;

use super::{GENERAL, Row};

/// Reads every event of a core's unit in the files beneath a folder.
///
/// # Errors
/// A file is no JSON, or a number is none.
pub(super) fn rows(folder: &Path) -> Result<Vec<Row>> {
    let mut files = Vec::new();
    find(folder, &mut files)?;
    files.sort();
    let mut read = Vec::new();
    let mut standard = BTreeMap::new();
    for path in files {
        let text = fs::read_to_string(&path)?;
        let value: Value = serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?;
        let events = value.get("Events").unwrap_or(&value).as_array().cloned().unwrap_or_default();
        // What several processors' files name alone lies in the architecture's folder.
        if path.strip_prefix(folder)?.components().count() == 2 {
            let named = events.into_iter().filter(|event| event.get("EventName").is_some());
            standard.extend(named.map(|event| (word(&event, "EventName").to_owned(), event)));
        } else {
            read.push((processor(&path), events));
        }
    }
    let mut rows = Vec::new();
    for (processor, events) in read {
        for event in events {
            let event = standard.get(word(&event, "ArchStdEvent")).unwrap_or(&event);
            rows.extend(row(&processor, event).with_context(|| format!("{processor}: {event}"))?);
        }
    }
    Ok(rows)
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|kind| kind == "json") {
            files.push(path);
        }
    }
    Ok(())
}

/// The folder's name, or that of a file `skylake_core.json`.
fn processor(path: &Path) -> String {
    let name =
        |path: Option<&std::ffi::OsStr>| path.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name(path.file_stem());
    stem.strip_suffix("_core").map_or_else(|| name(path.parent().and_then(Path::file_name)), str::to_lowercase)
}

fn word<'v>(event: &'v Value, key: &str) -> &'v str {
    event.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the numbers of a word, which may be several with commas between them.
fn numbers(event: &Value, key: &str) -> Result<Vec<u64>> {
    let words = word(event, key).split(',').map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| {
            let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
            Ok(digits.map_or_else(|| word.parse(), |digits| u64::from_str_radix(digits, 16))?)
        })
        .collect()
}

/// Returns an event of a core's unit.
fn row(processor: &str, event: &Value) -> Result<Option<Row>> {
    let unit = word(event, "Unit");
    if word(event, "EventName").is_empty() || !["", "cpu_core", "cpu_atom", "core"].contains(&unit) {
        return Ok(None);
    }
    let one = |key| Ok::<_, anyhow::Error>(numbers(event, key)?.first().copied().unwrap_or(0));
    let mut codes = numbers(event, "EventCode")?;
    codes.extend(numbers(event, "ConfigCode")?);
    let mask = one("UMask")?;
    let counters = counters(word(event, "Counter"));
    if mask == 0 && counters.is_some_and(|counters| counters.and(GENERAL).is_empty()) {
        codes.clear(); // lists have several numbers for the events of fixed counters, such as 0 and 10
    }
    let further = one("UMaskExt")? << 40;
    // Of AMD's events with 12 bits, the upper four are at 32 (APM vol. 2, "Core Performance Event-Select Registers").
    let is_amd = processor.starts_with("amdzen");
    let codes = codes
        .into_iter()
        .map(|code| if is_amd { code & 0xFF | (code & 0xF00) << 24 } else { code } | mask << 8 | further);
    let flags = [("EdgeDetect", Flag::Edge), ("Invert", Flag::Invert), ("AnyThread", Flag::AnyThread)];
    let mut given = Flags::NONE;
    for (key, flag) in flags {
        given = if one(key)? == 0 { given } else { given.with(flag) };
    }
    let name = word(event, "EventName").to_owned();
    Ok(Some(Row {
        processor: if unit == "cpu_atom" { format!("{processor}/{unit}") } else { processor.to_owned() },
        text: name.clone(),
        name,
        parse: Perfmon::parse,
        codes: codes.collect(),
        bits: u64::MAX,
        auxiliary: one("MSRValue")?,
        threshold: u8::try_from(one("CounterMask")?)?,
        flags: given,
        counters,
    }))
}

/// Parses `0,1,2,3` or `Fixed counter 0`.
fn counters(text: &str) -> Option<CounterSet> {
    let numbers = text.split(',').map(str::trim);
    let bits = numbers.map(|word| match word.strip_prefix("Fixed counter ") {
        Some(number) => number.trim().parse().ok().map(|number: u32| 1 << (32 + number)),
        None => word.parse().ok().map(|number: u32| 1 << number),
    });
    bits.collect::<Option<Vec<u64>>>().map(|bits| CounterSet::from_bits(bits.iter().fold(0, |all, bit| all | bit)))
}
