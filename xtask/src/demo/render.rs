//! How is the demo shown to a person?
//!
//! The clock under the emulator is virtual: it advances with the guest's instructions and says nothing of seconds. So
//! no rate per second is shown, and whatever is time is called virtual.

use std::collections::BTreeMap;

use super::lines::{Sample, Source};
use super::record::{Count, Record, Sampling};
use crate::symbols::Symbols;
use crate::table::{Align, Table, bar, grouped, percent};

const BAR_WIDTH: u64 = 24;
const ADDRESSES: usize = 12;
/// What other counts are set in relation to.
const INSTRUCTIONS: &str = "instructions";

/// The whole text.
pub(crate) fn render(record: &Record, symbols: &Symbols) -> String {
    let mut text = format!("{}\n{}\n", record.unit.as_deref().unwrap_or_default(), facts(record));
    let workload = record.workload.as_deref().unwrap_or("the workload");
    text += &format!("Counted around {workload} (virtual processor: cycles are virtual)\n{}\n", counts(&record.counts));
    for sampling in &record.samplings {
        text += &format!("{}\n{}\n", headline(sampling), by_function(sampling, symbols));
        text += &format!("The {ADDRESSES} most frequent addresses\n{}\n", by_address(sampling, symbols));
    }
    text
}

fn facts(record: &Record) -> String {
    let width = record.facts.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    record.facts.iter().map(|(key, value)| format!("  {:<width$}  {value}\n", key.replace('-', " "))).collect()
}

fn counts(counts: &[Count]) -> Table {
    let instructions = counts.iter().find(|count| count.event == INSTRUCTIONS).map_or(0, |count| count.value);
    let mut table = Table::new([
        ("event", Align::Left),
        ("counter", Align::Left),
        ("count", Align::Right),
        ("of instructions", Align::Right),
        ("source", Align::Left),
    ]);
    for count in counts {
        let share = if instructions == 0 { String::new() } else { percent(count.value, instructions) };
        let counter = count.counter.replace('-', " ");
        table.row([count.event.clone(), counter, grouped(count.value), share, source(count.source)]);
    }
    table
}

fn source(source: Source) -> String {
    match source {
        Source::Observed => "observed".to_owned(),
        Source::Modelled => "modelled, not observed".to_owned(),
    }
}

fn headline(sampling: &Sampling) -> String {
    let lost: String = sampling.lost.iter().map(|(cause, number)| format!(", {number} lost: {cause}")).collect();
    let (overflows, received) = (grouped(sampling.overflows), grouped(sampling.received()));
    let lost = if lost.is_empty() { ", none lost".to_owned() } else { lost };
    format!(
        "Sampled by overflow interrupt every {} {}: {overflows} overflows, {received} samples{lost}",
        grouped(sampling.period),
        sampling.event
    )
}

fn by_function(sampling: &Sampling, symbols: &Symbols) -> Table {
    let name = |sample: &Sample| symbols.at(sample.address).map_or("(unknown)", |function| &function.name).to_owned();
    let mut table =
        Table::new([("share", Align::Right), ("samples", Align::Right), ("", Align::Left), ("function", Align::Left)]);
    for (name, number) in ranked(sampling, name) {
        let received = sampling.received();
        table.row([percent(number, received), grouped(number), bar(number, received, BAR_WIDTH), name]);
    }
    table
}

fn by_address(sampling: &Sampling, symbols: &Symbols) -> Table {
    let mut table = Table::new([
        ("share", Align::Right),
        ("samples", Align::Right),
        ("address", Align::Right),
        ("mode", Align::Left),
        ("place", Align::Left),
    ]);
    let key = |sample: &Sample| (sample.address, sample.mode.clone());
    for ((address, mode), number) in ranked(sampling, key).into_iter().take(ADDRESSES) {
        let share = percent(number, sampling.received());
        table.row([share, grouped(number), format!("{address:#x}"), mode, place(address, symbols)]);
    }
    table
}

fn place(address: u64, symbols: &Symbols) -> String {
    symbols
        .at(address)
        .map_or_else(String::new, |function| format!("{} + {}", function.name, address - function.address))
}

/// How often each key occurs, the most frequent first.
fn ranked<K: Ord>(sampling: &Sampling, key: impl Fn(&Sample) -> K) -> Vec<(K, u64)> {
    let mut numbers = BTreeMap::new();
    for sample in &sampling.samples {
        *numbers.entry(key(sample)).or_insert(0) += 1;
    }
    let mut ranked: Vec<_> = numbers.into_iter().collect();
    ranked.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    ranked
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;
    use crate::symbols::Function;

    const LINES: &str = "unit Intel, version 4\nfact general-counters 8\nworkload three loops\n\
        count instructions fixed-0 2000 observed\ncount cache-misses general-0 100 modelled\n\
        sampling instructions 1000\nsample 0x12 fixed-0 kernel\nsample 0x12 fixed-0 kernel\nsample 0x21 fixed-0 kernel\n\
        sample-lost ring-full 1\noverflows 4\n";

    fn rendered() -> String {
        let functions = [(0x10, "hot"), (0x20, "cold")];
        render(
            &record(LINES),
            &functions.map(|(address, name)| Function { address, name: name.into() }).into_iter().collect(),
        )
    }

    #[test]
    fn functions_are_ranked_by_their_share() {
        let text = rendered();
        assert!(text.contains("66.7 %        2  ████████████████  hot"), "{text}");
        assert!(text.contains("33.3 %        1  ████████          cold"), "{text}");
    }

    #[test]
    fn an_address_is_shown_with_its_place_in_the_function() {
        assert!(rendered().contains("0x12  kernel  hot + 2"));
    }

    #[test]
    fn a_modelled_count_says_so() {
        let line = rendered().lines().find(|line| line.contains("cache-misses")).unwrap().to_owned();
        assert!(line.contains("5.0 %") && line.ends_with("modelled, not observed"), "{line}");
    }

    #[test]
    fn losses_are_shown_by_cause() {
        assert!(rendered().contains("4 overflows, 3 samples, 1 lost: ring-full"));
    }
}
