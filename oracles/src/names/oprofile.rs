//! Reads OProfile's folder `events`, with each event once for each of its unit masks.

use std::fs;
use std::path::Path;

use anyhow::Result;
use pmu::CounterSet;
use pmu::request::{Flag, Flags};
use pmu::text::notation::Oprofile;

use super::Row;
use crate::oprofile::Processor;
use crate::oprofile::events::{Counters, Event};
use crate::oprofile::masks::Value;

/// Reads every processor's folder, two below this one.
///
/// # Errors
/// A file is wrong; the error names it.
pub(super) fn rows(folder: &Path) -> Result<Vec<Row>> {
    let mut folders = Vec::new();
    for vendor in fs::read_dir(folder)? {
        let vendor = vendor?.path();
        for one in vendor.is_dir().then(|| fs::read_dir(&vendor)).transpose()?.into_iter().flatten() {
            folders.push(one?.path());
        }
    }
    folders.retain(|folder| folder.join("events").is_file());
    folders.sort();
    let mut rows = Vec::new();
    for folder in folders {
        let processor = Processor::read(&folder)?;
        for event in &processor.events {
            let masks = event.masks.iter().filter_map(|name| processor.mask(name)).flat_map(|unit| &unit.values);
            rows.extend(masks.map(|value| row(&processor, event, value)));
        }
    }
    Ok(rows)
}

/// The bits of a code that OProfile has, where it leaves out those of the counter.
const BITS: [(&str, u64); 3] = [("ppc/7450", 0xFF), ("mips/r10000", 0xF), ("mips/5K", 0xF)];

fn row(processor: &Processor, event: &Event, value: &Value) -> Row {
    let mask = value.name.clone().unwrap_or_else(|| format!("{:#x}", value.value));
    let is_x86 = processor.name.starts_with("i386/") || processor.name.starts_with("x86-64/");
    // POWER's numbers are OProfile's own, whose registers are in the mapping, and so are those of the Pentium 4.
    let is_own = !processor.mappings.is_empty() || processor.name == "i386/p4";
    let bits = BITS.iter().find(|(name, _)| *name == processor.name).map_or(u64::MAX, |(_, bits)| *bits);
    let code = if is_x86 { event.code & 0xFF | (event.code & 0xF00) << 24 | value.value << 8 } else { event.code };
    let extra = |word: &str| value.extra.iter().any(|it| it == word);
    let flags = [("edge", Flag::Edge), ("inv", Flag::Invert), ("any", Flag::AnyThread)];
    let threshold = value.extra.iter().find_map(|word| word.strip_prefix("cmask=")).and_then(number);
    Row {
        processor: processor.name.clone(),
        name: format!("{}:{mask}", event.name),
        text: format!("{}:{}:{mask}:1:1", event.name, u64::from(u32::MAX) >> 1),
        parse: Oprofile::parse,
        codes: if is_own { Vec::new() } else { vec![code] },
        bits,
        auxiliary: 0,
        threshold: threshold.unwrap_or(0),
        flags: flags.into_iter().filter(|(word, _)| extra(word)).fold(Flags::NONE, |all, (_, flag)| all.with(flag)),
        counters: match event.counters {
            Counters::These(bits) if processor.name != "i386/p4" => Some(CounterSet::from_bits(bits)),
            _ => None,
        },
    }
}

/// Parses a number that OProfile writes in hexadecimal digits with and without their prefix.
fn number(text: &str) -> Option<u8> {
    u8::from_str_radix(text.trim_start_matches("0x"), 16).ok()
}
