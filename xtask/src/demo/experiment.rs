//! Prints the experiment: the exact counts of each function, one row for a function and one column for an event, then
//! the samples.

use super::profile;
use super::record::Experiment;
use crate::symbols::Symbols;
use crate::table::{Align, Table, grouped};

/// Returns the experiment's text.
pub(super) fn experiment(experiment: &Experiment, symbols: &Symbols) -> String {
    let Experiment { title, rule, shares, samplings } = experiment;
    let profiles: String = samplings.iter().map(|sampling| profile::profile(sampling, shares, symbols)).collect();
    format!(
        "Looked at, one instruction at a time: {title}\n  {rule}\n\n{}\n{profiles}",
        by_function(experiment, symbols)
    )
}

fn by_function(experiment: &Experiment, symbols: &Symbols) -> Table {
    let events = distinct(experiment.shares.iter().map(|share| share.event.as_str()));
    let columns = events.iter().map(|event| (*event, Align::Right)).chain([("function", Align::Left)]);
    let mut table = Table::with_columns(columns);
    for address in distinct(experiment.shares.iter().map(|share| share.address)) {
        let numbers = events.iter().map(|event| number(experiment, address, event));
        let name = symbols.at(address).map_or("(unknown)", |function| &function.name).to_owned();
        table.push(numbers.chain([name]));
    }
    table
}

fn number(experiment: &Experiment, address: u64, event: &str) -> String {
    let share = experiment.shares.iter().find(|share| share.address == address && share.event == event);
    share.map_or_else(String::new, |share| grouped(share.number))
}

/// Returns the first of equal items, in their order.
fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut first, one| {
        if !first.contains(&one) {
            first.push(one);
        }
        first
    })
}
