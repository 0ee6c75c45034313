//! Reads what the x86 kernel's sampling hardware recorded with Linux' `perf mem report` and `perf script`.
//!
//! Three threads add to a word of their own each, two of them in one cache line. Behind them a fourth, which is none, has a
//! record of each word that a record can say, which are compared with what perf makes of them.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use super::perf::Recording;
use crate::identity::Identity;
use crate::kernel::Image;

/// What perf's text of each record of the fourth thread has, and its latency: sources, operations, translations, and nothing.
const WORDS: [(&str, u64); 20] = [
    ("|LVL L1 or L1 hit|", 1),
    ("|LVL LFB/MAB or LFB/MAB hit|", 2),
    ("|LVL L2 or L2 hit|", 3),
    ("|LVL L3 or L3 hit|SNP N/A|TLB N/A|LCK Yes|", 4),
    ("|LVL Remote core, same node Any cache hit|", 5),
    ("|LVL Remote Remote Cache (2 hops) or Any cache hit|", 6),
    ("|OP LOAD|LVL Local RAM or RAM hit|SNP N/A|TLB N/A|LCK No|", 7),
    ("|LVL Remote Remote RAM (1 hop) or RAM hit|", 8),
    ("|LVL PMEM hit|", 9),
    ("|LVL CXL hit|", 10),
    ("|LVL I/O or I/O hit|", 11),
    ("|LVL Uncached hit|", 12),
    ("|OP STORE|LVL N/A|", 0),
    ("|OP LOAD|LVL N/A|", 0), // and a store: perf shows the first
    ("|OP PFETCH|LVL N/A|", 0),
    ("|OP EXEC|LVL N/A|", 0),
    ("|TLB L1 hit|", 0),
    ("|TLB L2 hit|", 0),
    ("|TLB L2 miss|", 0),
    ("|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A", 0),
];

/// The bytes of a cache line.
const LINE: u64 = 64;

/// Boot the kernel, and print perf's report of what its threads accessed.
///
/// # Errors
/// It cannot be booted, or fails; perf cannot be started, or cannot read what the kernel wrote.
pub(super) fn print(image: &Image, identity: Identity) -> Result<()> {
    let report =
        Recording::of(image, identity, "mem")?.perf(&["mem", "report"], &["-F", "sample,comm,mem,symbol_daddr"])?;
    println!("\n{}", report.trim_end());
    Ok(())
}

/// Boot the kernel, and check that perf finds each thread's word by the addresses of the data, the two that share a line, and
/// the words for all that a record can say.
///
/// # Errors
/// It does not.
pub(super) fn prove(image: &Image, identity: Identity) -> Result<()> {
    let recording = Recording::of(image, identity, "mem")?;
    let script = recording.perf(&["script"], &["-F", "comm,ip,addr,weight,data_src"])?;
    let records: Vec<_> = script.lines().filter(|line| line.contains('|')).map(record).collect::<Result<_>>()?;
    check_words(&records)?;
    check_sharing(&records)?;
    check_report(&recording.perf(&["mem", "report"], &["-F", "sample,comm,symbol_daddr"])?)
}

/// A record in perf's text.
#[derive(Debug)]
struct Record<'s> {
    thread: &'s str,
    data: u64,
    text: &'s str,
    latency: u64,
    instruction: u64,
}

fn record(line: &str) -> Result<Record<'_>> {
    parse(line).with_context(|| format!("perf's line {line:?} is no record of an access"))
}

fn parse(line: &str) -> Option<Record<'_>> {
    let (before, _) = line.split_once('|')?;
    let mut first = before.split_whitespace();
    let mut last = line.split_whitespace().rev();
    let instruction = u64::from_str_radix(last.next()?, 16).ok()?;
    let latency = last.next()?.parse().ok()?;
    let (thread, data) = (first.next()?, u64::from_str_radix(first.next()?, 16).ok()?);
    Some(Record { thread, data, text: &line[before.len()..], latency, instruction })
}

fn check_words(records: &[Record]) -> Result<()> {
    let found: Vec<_> = records.iter().filter(|record| record.thread == "words").collect();
    ensure!(found.len() == WORDS.len(), "{} records of words are not {}", found.len(), WORDS.len());
    for (record, (text, latency)) in found.into_iter().zip(WORDS) {
        ensure!(
            record.text.contains(text) && record.latency == latency,
            "{record:?} is not {text} of {latency} cycles"
        );
    }
    Ok(())
}

/// Checks that each thread accessed one word by one instruction, and that two of the three words are in one line.
fn check_sharing(records: &[Record]) -> Result<()> {
    let words = ["left", "right", "alone"].map(|thread| most_frequent(records, thread));
    let [left, right, alone] = words.map(|word| word.unwrap_or_default());
    ensure!(left.1 == right.1 && right.1 == alone.1 && left.1 > 0, "they are not of one instruction: {words:x?}");
    let is_shared = left.0 != right.0 && left.0 / LINE == right.0 / LINE;
    ensure!(is_shared && alone.0 / LINE != left.0 / LINE, "two of these words alone are in one line: {words:x?}");
    Ok(())
}

/// Returns where most accesses of a thread were: the data, and the instruction.
fn most_frequent(records: &[Record], thread: &str) -> Option<(u64, u64)> {
    let mut numbers = BTreeMap::new();
    let its = records.iter().filter(|record| record.thread == thread && record.data != 0);
    its.for_each(|record| *numbers.entry((record.data, record.instruction)).or_insert(0) += 1);
    numbers.into_iter().max_by_key(|&(_, number): &(_, u64)| number).map(|(place, _)| place)
}

/// Checks that perf's report names the data by their symbol: each thread's word, and no other thread's.
fn check_report(report: &str) -> Result<()> {
    for (thread, word) in
        [("left", "sharing::WORDS+0x0"), ("right", "sharing::WORDS+0x8"), ("alone", "sharing::WORDS+0x40")]
    {
        let words = report.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let rows: Vec<_> = words
            .filter(|row| row.get(1) == Some(&thread) && row.last().is_some_and(|data| data.contains("sharing::WORDS")))
            .collect();
        let samples = rows.first().and_then(|row| row.first()?.parse::<u64>().ok()).unwrap_or(0);
        let is_alone = matches!(rows.as_slice(), [row] if row.last().is_some_and(|data| data.ends_with(word)));
        ensure!(is_alone && samples > 50, "perf mem report does not have the word of {thread}, {word}:\n{report}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE_OF_PERF: &str =
        " left   871800     10204080142 |OP LOAD|LVL L1 or L1 hit|SNP N/A|TLB N/A|LCK No|BLK  N/A    7   3c88ff";

    #[test]
    fn a_record_is_read_from_perfs_text() {
        let record = record(LINE_OF_PERF).unwrap();
        assert_eq!((record.thread, record.data, record.latency), ("left", 0x87_1800, 7));
        assert_eq!((record.instruction, record.text.starts_with("|OP LOAD|")), (0x3c_88ff, true));
        assert!(super::record("left 871800 |OP").is_err());
    }

    #[test]
    fn sharing_is_two_words_of_one_line() {
        let of = |left: &str, right: &str, alone: &str| {
            let line = |thread: &str, data: &str| LINE_OF_PERF.replace("left", thread).replace("871800", data);
            let text = [line("left", left), line("right", right), line("alone", alone)].join("\n");
            check_sharing(&text.lines().map(|line| record(line).unwrap()).collect::<Vec<_>>())
        };
        assert!(of("871800", "871808", "871840").is_ok());
        assert!(of("871800", "871848", "871880").is_err(), "each has a line");
        assert!(of("871800", "871800", "871840").is_err(), "two have one word");
        assert!(of("871800", "871808", "871810").is_err(), "all have one line");
    }

    #[test]
    fn the_report_must_name_each_threads_word_and_no_other() {
        let report = "# Samples\n 76  right  [k] k::sharing::WORDS+0x8\n 75  left  [k] k::sharing::WORDS+0x0\n\
            74  alone  [k] k::sharing::WORDS+0x40\n 12  words  [k] k::sharing::WORDS+0x0\n";
        assert!(check_report(report).is_ok());
        assert!(check_report(&report.replace("+0x40", "+0x10")).is_err());
        assert!(check_report(&report.replace("76 ", "7 ")).is_err());
        assert!(check_report(&format!("{report} 1  left  [k] k::sharing::WORDS+0x8\n")).is_err());
    }

    #[test]
    fn a_word_that_is_missing_or_wrong_is_an_error() {
        let lines: Vec<_> = WORDS.iter().map(|(text, latency)| format!("words 0 1 {text} {latency} 3c88ff")).collect();
        let of = |lines: &[String]| check_words(&lines.iter().map(|line| record(line).unwrap()).collect::<Vec<_>>());
        assert!(of(&lines).is_ok());
        assert!(of(&lines[1..]).is_err());
        let wrong: Vec<_> = lines.iter().map(|line| line.replace("PMEM", "CXL")).collect();
        assert!(of(&wrong).is_err());
    }
}
