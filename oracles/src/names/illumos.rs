//! Reads the lists of illumos' source: the tables of C in `usr/src/uts/*/pcbe`, and AMD's of JSON in
//! `usr/src/data/amdpmc`. Intel's of JSON there, in `usr/src/data/perfmon`, are Intel's own list perfmon.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use pmu::CounterSet;
use pmu::request::{Flag, Flags};
use pmu::text::notation::Cpc;
use serde_json::Value;

use super::Row;

/// The tables: the file, the array, the processor, the counter if the array is of one alone, and the bits of a code that the
/// table has.
pub(super) const TABLES: [(&str, &str, &str, Option<u32>, u64); 29] = [
    ("intel/pcbe/core_pcbe.c", "cmn_gpc_events_core_uarch", "core_2", None, 0xFF),
    ("intel/pcbe/core_pcbe.c", "cmn_generic_events", "core_2", None, u64::MAX),
    ("intel/pcbe/core_pcbe.c", "pic0_events", "core_2", Some(0), 0xFF),
    ("intel/pcbe/core_pcbe.c", "pic1_events", "core_2", Some(1), 0xFF),
    ("intel/pcbe/core_pcbe.c", "events_fam6_nhm", "nehalem", None, u64::MAX),
    ("intel/pcbe/core_pcbe.c", "events_fam6_mod28", "bonnell", None, u64::MAX),
    ("intel/pcbe/opteron_pcbe.c", "family_f_events", "hammer", None, FIRST),
    ("intel/pcbe/opteron_pcbe.c", "family_10h_events", "family10", None, FIRST),
    ("intel/pcbe/opteron_pcbe.c", "family_11h_events", "family11h", None, FIRST),
    ("intel/pcbe/opteron_pcbe.c", "opt_generic_events", "hammer", None, u64::MAX),
    ("intel/pcbe/opteron_pcbe.c", "family_10h_generic_events", "family10", None, u64::MAX),
    ("intel/pcbe/p123_pcbe.c", "P5mmx_names0", "P5mmx", Some(0), 0x3F),
    ("intel/pcbe/p123_pcbe.c", "P5mmx_names1", "P5mmx", Some(1), 0x3F),
    ("intel/pcbe/p123_pcbe.c", "_P6_names", "pii", None, 0xFF),
    ("intel/pcbe/p123_pcbe.c", "_P6_generic_names", "pii", None, 0),
    ("intel/pcbe/p4_pcbe.c", "p4_events", "p4", None, 0),
    ("intel/pcbe/p4_pcbe.c", "p4_generic_events", "p4", None, 0),
    ("sun4u/pcbe/us234_pcbe.c", "US12_names0", "ultra12", Some(0), 0xFF),
    ("sun4u/pcbe/us234_pcbe.c", "US12_names1", "ultra12", Some(1), 0xFF),
    ("sun4u/pcbe/us234_pcbe.c", "US3_names0", "ultra3", Some(0), 0xFF),
    ("sun4u/pcbe/us234_pcbe.c", "US3_names1", "ultra3", Some(1), 0xFF),
    ("sun4u/pcbe/us234_pcbe.c", "US3_PLUS_names0", "ultra3+", Some(0), 0xFF),
    ("sun4u/pcbe/us234_pcbe.c", "US3_PLUS_names1", "ultra3+", Some(1), 0xFF),
    ("sun4u/pcbe/us234_pcbe.c", "US3_I_names0", "ultra3i", Some(0), 0xFF),
    ("sun4u/pcbe/us234_pcbe.c", "US3_I_names1", "ultra3i", Some(1), 0xFF),
    ("sun4u/pcbe/us234_pcbe.c", "US4_PLUS_names0", "ultra4+", Some(0), 0xFF),
    ("sun4u/pcbe/us234_pcbe.c", "US4_PLUS_names1", "ultra4+", Some(1), 0xFF),
    ("sun4v/pcbe/niagara_pcbe.c", "Niagara_names0", "Niagara", Some(0), 0xFF),
    ("sun4v/pcbe/niagara2_pcbe.c", "ni2_events", "ni2", None, u64::MAX),
];
/// The bits of an event of AMD's without its unit mask.
const FIRST: u64 = 0xF_0000_00FF;

/// Reads every table that the folder has.
///
/// # Errors
/// A file is wrong; the error names it.
pub(super) fn rows(folder: &Path) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let source = folder.join("usr/src");
    for (file, table, processor, counter, bits) in TABLES {
        let path = source.join("uts").join(file);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let entries = entries(&text, table).with_context(|| format!("{file} has no table {table}"))?;
        rows.extend(entries.iter().filter_map(|entry| row(file, processor, entry, counter, bits)));
    }
    let lists = source.join("data/amdpmc");
    for entry in fs::read_dir(&lists).with_context(|| format!("cannot read {}", lists.display()))? {
        let path = entry?.path();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(processor) = name.strip_suffix("_core") {
            let value: Value = serde_json::from_str(&fs::read_to_string(&path)?).with_context(|| name.clone())?;
            rows.extend(value.as_array().into_iter().flatten().flat_map(|event| of_zen(processor, event)));
        }
    }
    Ok(rows)
}

/// Returns what stands between the braces of each entry of an array. Its lines may be those of a macro.
fn entries<'t>(text: &'t str, table: &str) -> Option<Vec<&'t str>> {
    let body = text.split_once(&format!(" {table}[] = {{"))?.1.split_once("\n};")?.0;
    Some(within(text, body))
}

fn within<'t>(text: &'t str, body: &'t str) -> Vec<&'t str> {
    let mut entries = Vec::new();
    let mut rest = body;
    while let Some(at) = rest.find(|it: char| it == '{' || it.is_ascii_alphabetic() || it == '/') {
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
        } else if let Some(entry) = rest.strip_prefix('{') {
            let (entry, after) = entry.split_once('}').unwrap_or((entry, ""));
            entries.push(entry);
            rest = after;
        } else {
            let word = rest.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').next().unwrap_or_default();
            entries.extend(defined(text, word).map(|body| within(text, body)).unwrap_or_default());
            rest = &rest[word.len().max(1)..];
        }
    }
    entries
}

/// Returns the lines of a macro.
fn defined<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let begin = format!("#define\t{name}");
    let (_, body) = text
        .match_indices(&begin)
        .map(|(at, _)| text[at..].split_at(begin.len()))
        .find(|(_, after)| after.starts_with([' ', '\t', '(']))?;
    let end = body.match_indices('\n').find(|(at, _)| !body[..*at].trim_end().ends_with('\\'));
    Some(&body[..end.map_or(body.len(), |(at, _)| at)])
}

fn number(word: &str) -> Option<u64> {
    let digits = word.trim().strip_prefix("0x");
    digits.map_or_else(|| word.trim().parse().ok(), |digits| u64::from_str_radix(digits, 16).ok())
}

/// An entry has its name between quotes; what is before and after it depends on the table.
fn row(file: &str, processor: &str, entry: &str, counter: Option<u32>, bits: u64) -> Option<Row> {
    let mut quoted = entry.split('"');
    let (before, name, after) = (quoted.next()?, quoted.next().filter(|name| !name.is_empty())?, quoted.next()?);
    let before: Vec<_> = before.split(',').filter_map(number).collect();
    let after: Vec<_> = after.split(',').filter_map(number).collect();
    let is_alias = entry.matches('"').count() > 2;
    let codes = match (&before[..], &after[..]) {
        _ if bits == 0 || is_alias => vec![],
        ([code], []) => vec![*code],
        ([code, mask, ..], _) => vec![code | mask << 8],
        (_, [code, mask, ..]) if name.starts_with("PAPI_") => vec![code | mask << 8],
        (_, [.., code]) if file.ends_with("core_pcbe.c") => vec![*code],
        (_, [code, ..]) if file.ends_with("opteron_pcbe.c") => vec![amds(*code)],
        (_, [code, ..]) => vec![*code],
        _ => vec![],
    };
    let counters = counter.map(|counter| CounterSet::from_bits(1 << counter));
    let row = event(processor, name, name, codes, bits, counters);
    // The Pentium Pro's attribute is `noedge`: without it edges are counted.
    let is_edge = processor == "pii" && !name.starts_with("PAPI_");
    Some(Row { flags: if is_edge { Flags::NONE.with(Flag::Edge) } else { Flags::NONE }, ..row })
}

/// Of AMD's events with 12 bits, the upper four are at 32 (APM vol. 2, "Core Performance Event-Select Registers").
fn amds(code: u64) -> u64 {
    code & 0xFF | (code & 0xF00) << 24
}

/// Returns an event of Zen's with each bit of its unit mask, or alone if it has none.
fn of_zen(processor: &str, value: &Value) -> Vec<Row> {
    let word = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let name = word(value, "name");
    let Some(code) = number(&word(value, "code")).map(amds) else { return Vec::new() };
    let units = value.get("units").and_then(Value::as_array).into_iter().flatten();
    let masked: Vec<_> = units
        .filter_map(|unit| {
            let mask = 1 << unit.get("bit")?.as_u64()?;
            let text = format!("{name},umask={mask:#x}");
            Some(event(
                processor,
                &format!("{name}.{}", word(unit, "name")),
                &text,
                vec![code | mask << 8],
                u64::MAX,
                None,
            ))
        })
        .collect();
    if masked.is_empty() { vec![event(processor, &name, &name, vec![code], u64::MAX, None)] } else { masked }
}

fn event(processor: &str, name: &str, text: &str, codes: Vec<u64>, bits: u64, counters: Option<CounterSet>) -> Row {
    Row {
        processor: processor.to_owned(),
        name: name.to_owned(),
        text: text.to_owned(),
        parse: Cpc::parse,
        codes,
        bits,
        auxiliary: 0,
        threshold: 0,
        flags: Flags::NONE,
        counters,
    }
}
