//! The guide for scripts names every line and its fields, in their order.

use pmu::output::{profile::Call, profile::Hits, profile::Place, profile::Symbol};
use pmu::output::{report::NamedCount, report::NamedSeries, report::Plain, report::ProfileRow, report::Record};
use pmu::samples::Spurious;
use pmu::samples::chain::Chains;
use pmu::stats::Series;
use pmu::{Interrupted, Mode, Timer};

const GUIDE: &str = include_str!("../../src/guide/scripts.md");

/// A line's word, and the names of its fields.
fn named(record: impl Record) -> (String, Vec<String>) {
    let line = Plain(record).to_string();
    let mut words = line.split(' ').map(|word| word.split_once('=').map_or(word, |(name, _)| name).to_owned());
    (words.next().unwrap(), words.collect())
}

/// What the guide says of each line: all that stands between backticks.
fn guide() -> Vec<(String, Vec<String>)> {
    let rows = GUIDE.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let mut quoted = row.split('`').skip(1).step_by(2).map(str::to_owned);
        (quoted.next().unwrap(), quoted.collect())
    })
    .collect()
}

#[test]
fn the_guide_names_every_line_and_its_fields_in_their_order() {
    let (timer, chains) = (Timer::<1>::new(), Chains::<1, 1>::new());
    timer.tick_chained(Interrupted::new(0, Mode::User), &chains, |_| Ok(()));
    let sample = chains.pair(timer.samples().unwrap()).unwrap().next().unwrap();
    let series: Series = [1, 2].into_iter().collect();
    let printed = [
        named(sample),
        named(timer.statistics()),
        named(timer.statistics().lost),
        named(Spurious::default()),
        named(chains.statistics()),
        named(Hits::default()),
        named(ProfileRow { place: Place::default(), symbol: Some(Symbol { name: "", start: 0 }), samples: 0 }),
        named(Call { caller: Some(Place::default()), ..Call::default() }),
        named(NamedCount { event: "", raw: 0, enabled: 0, running: 0 }),
        named(NamedSeries { of: "", series: &series }),
    ];
    assert_eq!(guide(), printed);
}
