//! Reads LIKWID's lists, src/includes/perfmon_PROCESSOR_events.txt: the events of a core's counters.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use pmu::CounterSet;
use pmu::request::{Flag, Flags};
use pmu::text::notation::Perfmon;

use super::{GENERAL, Row};

/// Reads every list of a folder.
///
/// # Errors
/// A file is wrong; the error names it.
pub(super) fn rows(folder: &Path) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(processor) = name.strip_prefix("perfmon_").and_then(|name| name.strip_suffix("_events.txt")) {
            rows.extend(list(processor, &fs::read_to_string(&path)?).with_context(|| name.clone())?);
        }
    }
    Ok(rows)
}

/// What stands before the name of a unit mask: the event's code and counters, and the options of its name.
#[derive(Default)]
struct Before {
    code: u64,
    counters: Option<CounterSet>,
    options: Vec<(String, u64)>,
}

fn list(processor: &str, text: &str) -> Result<Vec<Row>> {
    let mut before = Before::default();
    let mut rows = Vec::new();
    for line in text.lines() {
        let words: Vec<_> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        match words[..] {
            [event, code, on, ..] if event.starts_with("EVENT_") => {
                before = Before { code: number(code)?, counters: counters(on), options: Vec::new() };
            }
            [of, options] if of.starts_with("DEFAULT_OPTIONS_") => {
                let options = options.split(',').filter_map(|option| option.split_once('='));
                let read = options.map(|(option, value)| Ok((option.to_owned(), number(value)?)));
                before.options = read.collect::<Result<_>>()?;
            }
            [name, ref numbers @ ..] if name.starts_with("UMASK_") && before.counters.is_some() => {
                let read = |at: usize| numbers.get(at).map_or(Ok(0), |word| number(word));
                rows.push(row(processor, &name["UMASK_".len()..], [read(0)?, read(1)?, read(2)?], &before)?);
                before.options.clear();
            }
            _ => {}
        }
    }
    Ok(rows)
}

fn number(word: &str) -> Result<u64> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    digits.map_or_else(|| word.parse(), |digits| u64::from_str_radix(digits, 16)).with_context(|| word.to_owned())
}

/// Parses `PMC`, `PMC0|PMC1` or `FIXC2`. The counters of other units are not a core's.
fn counters(text: &str) -> Option<CounterSet> {
    text.split('|').try_fold(CounterSet::EMPTY, |all, word| {
        let one = |prefix, first: u32| {
            let number: u32 = word.strip_prefix(prefix)?.parse().ok()?;
            Some(CounterSet::from_bits(1 << (first + number)))
        };
        let these = if word == "PMC" { Some(GENERAL) } else { one("PMC", 0).or_else(|| one("FIXC", 32)) };
        these.map(|these| all.or(these))
    })
}

/// The options that are flags, with the bits of the second number that are too (SDM vol. 3, IA32_PERFEVTSELx, from bit 16).
const FLAGS: [(&str, u64, Flag); 3] = [
    ("EVENT_OPTION_EDGE", 0x04, Flag::Edge),
    ("EVENT_OPTION_INVERT", 0x80, Flag::Invert),
    ("EVENT_OPTION_ANYTHREAD", 0x20, Flag::AnyThread),
];

/// `numbers` are the unit mask, the bits beside it and the threshold; of an off-core response the bits of the register.
fn row(processor: &str, name: &str, numbers: [u64; 3], before: &Before) -> Result<Row> {
    let option = |name: &str| before.options.iter().find(|(option, _)| option == name).map_or(0, |(_, value)| *value);
    let is_offcore = name.starts_with("OFFCORE_RESPONSE_");
    let [mask, beside, threshold] = numbers;
    let is_latency = name.starts_with("FRONTEND_RETIRED_") || name.starts_with("MEM_TRANS_RETIRED_");
    let auxiliary = match (is_offcore, is_latency) {
        (true, _) if beside < 38 && threshold < 38 => 1 << beside | 1 << threshold,
        (_, true) => threshold,
        _ => 0,
    };
    let is_own = is_offcore || is_latency || processor.starts_with("power");
    let (beside, threshold) = if is_own { (0, 0) } else { (beside, threshold) };
    let is_given = |(option_name, bit, _): &(&str, u64, Flag)| option(option_name) != 0 || beside & bit != 0;
    let is_fixed = before.counters.is_some_and(|counters| counters.and(GENERAL).is_empty());
    let code = before.code;
    let (code, bits) = match processor {
        "power8" => (code | mask << 12, 0xFFFF),
        "power9" => (code | mask << 8, 0xFFFF),
        _ if ARMS.contains(&processor) => (code, u64::MAX),
        _ => (code & 0xFF | (code & 0xF00) << 24 | mask << 8, u64::MAX),
    };
    Ok(Row {
        processor: processor.to_owned(),
        name: name.to_owned(),
        text: name.to_owned(),
        parse: Perfmon::parse,
        // LIKWID numbers the fixed counters' events itself. Of POWER's codes it leaves out the counter.
        codes: if is_fixed { Vec::new() } else { vec![code] },
        bits,
        auxiliary,
        threshold: u8::try_from(option("EVENT_OPTION_THRESHOLD").max(threshold)).with_context(|| name.to_owned())?,
        flags: FLAGS.iter().filter(|flag| is_given(flag)).fold(Flags::NONE, |all, (_, _, flag)| all.with(*flag)),
        counters: before.counters,
    })
}

/// The processors of Arm's architecture, whose codes have 16 bits.
const ARMS: [&str; 8] = ["a15", "a57", "a64fx", "applem1", "cavtx2", "graviton3", "neon1", "nvidiagrace"];
