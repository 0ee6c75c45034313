//! Prints the samples of one run by function and by address, and those of several counters side by side.

use std::collections::BTreeMap;

use super::lines::{Sample, Sampled, spoken};
use super::record::{Sampling, Share, exactly};
use crate::symbols::Symbols;
use crate::table::{Align, Table, bar, grouped, percent};

const BAR_WIDTH: u64 = 24;
const ADDRESSES: usize = 12;

/// Returns the text of one run; `shares` are those of the functions that ran.
pub(super) fn profile(sampling: &Sampling, shares: &[Share], symbols: &Symbols) -> String {
    let headline = format!("Sampled by overflow interrupt: {}\n{}\n", sampling.title, account(sampling));
    match sampling.requests.as_slice() {
        [request] => {
            let title =
                format!("  every {} {} on {}\n", grouped(request.period), request.event, spoken(&request.counter));
            let functions = by_function(sampling, request, shares, symbols);
            format!("{headline}{title}\n{functions}\n{}\n", by_address(sampling, symbols))
        }
        _ => format!("{headline}\n{}\n", by_counter(sampling, symbols)),
    }
}

/// Returns the number of overflows, samples and losses.
fn account(sampling: &Sampling) -> String {
    let causes: Vec<_> = sampling.lost.iter().map(|(cause, number)| format!("{number} {}", spoken(cause))).collect();
    let (overflows, received, lost) = (sampling.overflows, sampling.received(), sampling.lost());
    format!(
        "  {} overflows = {} samples + {} lost ({})",
        grouped(overflows),
        grouped(received),
        grouped(lost),
        causes.join(", ")
    )
}

/// Returns each function's share of the samples, and its exact share if it was counted alone.
fn by_function(sampling: &Sampling, request: &Sampled, shares: &[Share], symbols: &Symbols) -> Table {
    let shares: Vec<_> = exactly(shares, &request.event).collect();
    let whole = shares.iter().map(|(_, number)| number).sum();
    let mut table = Table::new([
        ("sampled", Align::Right),
        ("exact", Align::Right),
        ("samples", Align::Right),
        ("", Align::Left),
        ("function", Align::Left),
    ]);
    for (name, number) in ranked(&sampling.samples, |sample| name(sample, symbols)) {
        let alone = shares.iter().find(|(address, _)| symbols.at(*address).is_some_and(|found| found.name == name));
        let counted = alone.map_or_else(String::new, |(_, value)| percent(*value, whole));
        let received = sampling.received();
        table.row([percent(number, received), counted, grouped(number), bar(number, received, BAR_WIDTH), name]);
    }
    table
}

fn by_address(sampling: &Sampling, symbols: &Symbols) -> Table {
    let mut table = Table::new([
        ("sampled", Align::Right),
        ("samples", Align::Right),
        ("", Align::Left),
        ("address", Align::Right),
        ("mode", Align::Left),
        ("place", Align::Left),
    ]);
    let received = sampling.received();
    let key = |sample: &Sample| (sample.address, sample.mode.clone());
    for ((address, mode), number) in ranked(&sampling.samples, key).into_iter().take(ADDRESSES) {
        let bar = bar(number, received, BAR_WIDTH);
        let place = place(address, symbols);
        table.row([percent(number, received), grouped(number), bar, format!("{address:#x}"), mode, place]);
    }
    table
}

/// Returns a table with a row for each counter and a column for each function, by which counters can be compared.
fn by_counter(sampling: &Sampling, symbols: &Symbols) -> Table {
    let functions: Vec<_> = ranked(&sampling.samples, |sample| name(sample, symbols)).into_iter().take(6).collect();
    let titles = ["counter", "event", "every", "counted", "samples"].into_iter();
    let columns = titles.chain(functions.iter().map(|(name, _)| last_word(name)));
    let mut table = Table::with_columns(columns.map(|title| (title, align(title))));
    for request in &sampling.requests {
        let samples = sampling.samples.iter().filter(|sample| sample.counter == request.counter);
        let own: Vec<_> = samples.cloned().collect();
        let share = |function: &str| {
            let number = own.iter().filter(|sample| name(sample, symbols) == *function).count();
            percent(number as u64, own.len() as u64)
        };
        let numbers = [request.period, request.count, own.len() as u64].map(grouped);
        let cells = [spoken(&request.counter), request.event.clone()].into_iter().chain(numbers);
        table.push(cells.chain(functions.iter().map(|(function, _)| share(function))));
    }
    table
}

fn align(title: &str) -> Align {
    if matches!(title, "counter" | "event") { Align::Left } else { Align::Right }
}

fn name(sample: &Sample, symbols: &Symbols) -> String {
    symbols.at(sample.address).map_or("(unknown)", |function| &function.name).to_owned()
}

/// Returns a function's name without its path.
fn last_word(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

fn place(address: u64, symbols: &Symbols) -> String {
    symbols
        .at(address)
        .map_or_else(String::new, |function| format!("{} + {:#x}", function.name, address - function.address))
}

/// Returns how often each key occurs, the most frequent first.
fn ranked<K: Ord>(samples: &[Sample], key: impl Fn(&Sample) -> K) -> Vec<(K, u64)> {
    let mut numbers = BTreeMap::new();
    for sample in samples {
        *numbers.entry(key(sample)).or_insert(0) += 1;
    }
    let mut ranked: Vec<_> = numbers.into_iter().collect();
    ranked.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    ranked
}
