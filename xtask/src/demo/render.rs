//! Prints the demo.
//!
//! The clock of the emulator is virtual: it advances with the guest's instructions, and has no relation to seconds. So
//! no rates per second are printed, and times are called virtual.

use super::lines::{Count, Source, spoken};
use super::record::Record;
use super::{experiment, profile};
use crate::symbols::Symbols;
use crate::table::{Align, Table, grouped, percent};

/// The event that other counts are divided by.
const INSTRUCTIONS: &str = "instructions";

/// Returns the whole text.
pub(crate) fn render(record: &Record, symbols: &Symbols) -> String {
    let mut text = format!("{}\n{}\n", record.unit, facts(record));
    if !record.counts.is_empty() {
        text += &format!("Counted: {}\n\n{}{}\n", record.workload, counts(record), clock(record));
    }
    for sampling in &record.samplings {
        text += &profile::profile(sampling, &record.shares, symbols);
    }
    if let Some(experiment) = &record.experiment {
        text += &experiment::experiment(experiment, symbols);
    }
    text.trim_end().to_owned() + "\n"
}

fn facts(record: &Record) -> String {
    let width = record.facts.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    record.facts.iter().map(|(key, value)| format!("  {:<width$}  {value}\n", key.replace('-', " "))).collect()
}

fn counts(record: &Record) -> Table {
    let instructions = record.counts.iter().find(|count| count.event == INSTRUCTIONS).map_or(0, |count| count.value);
    let mut table = Table::new([
        ("event", Align::Left),
        ("counter", Align::Left),
        ("count", Align::Right),
        ("per instruction", Align::Right),
        ("", Align::Left),
    ]);
    for count in &record.counts {
        let [number, share] = values(count, instructions);
        table.row([count.event.clone(), spoken(&count.counter), number, share, note(count.source).to_owned()]);
    }
    for (event, reason) in &record.refusals {
        table.row([event.clone(), "-".into(), "-".into(), "-".into(), format!("refused: {reason}")]);
    }
    table
}

/// Returns the cells of a count. A count that means nothing is not printed.
fn values(count: &Count, instructions: u64) -> [String; 2] {
    match count.source {
        Source::Unobserved | Source::Below => ["-".into(), "-".into()],
        Source::Observed | Source::Virtual => [grouped(count.value), percent(count.value, instructions)],
    }
}

fn note(source: Source) -> &'static str {
    match source {
        Source::Observed => "observed",
        Source::Virtual => "virtual: the emulator's clock, one tick an instruction",
        Source::Unobserved => "not observed: the emulator does not show it",
        Source::Below => "counted below, in the experiment: it takes a look at each instruction",
    }
}

fn clock(record: &Record) -> String {
    let line = |ticks| format!("  virtual time: {} ticks of the time-stamp counter\n", grouped(ticks));
    record.clock.map(line).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;
    use crate::symbols::Function;

    const LINES: &str = "unit Intel, version 4\nfact general-counters 8\nworkload three loops\nclock 2001\n\
        count instructions fixed-0 2000 observed\ncount cycles fixed-1 1000 virtual\n\
        count branches general-0 0 unobserved\nrefused slots no counter counts it\n\
        share 0x10 instructions 300\nshare 0x20 instructions 100\n\
        sampling one event\nsampled instructions fixed-0 1000 4321\n\
        sample 0x12 fixed-0 kernel\nsample 0x12 fixed-0 kernel\nsample 0x21 fixed-0 kernel\n\
        sample-lost ring-full 1\nsample-lost outrun 0\noverflows 4\n";

    fn rendered(more: &str) -> String {
        let functions = [(0x10, "a::hot"), (0x20, "a::cold")];
        let functions = functions.map(|(address, name)| Function { address, name: name.into() });
        render(&record(&format!("{LINES}{more}")), &functions.into_iter().collect())
    }

    fn line(word: &str) -> String {
        rendered("").lines().find(|line| line.contains(word)).unwrap().to_owned()
    }

    #[test]
    fn a_count_that_is_not_observed_shows_no_number() {
        let line = line("branches");
        assert!(!line.contains('0') || line.contains("general 0  "), "{line}");
        assert!(line.contains("not observed"), "{line}");
    }

    #[test]
    fn a_refused_event_says_why() {
        assert!(line("slots").ends_with("refused: no counter counts it"));
    }

    #[test]
    fn whatever_is_time_is_called_virtual() {
        assert!(line("cycles").contains("50.0 %  virtual"));
        assert!(line("ticks of").contains("virtual time: 2,001 ticks"));
    }

    #[test]
    fn functions_are_ranked_by_their_share_which_stands_beside_the_exact_one() {
        let text = rendered("");
        assert!(text.contains("66.7 %  75.0 %        2  ████████████████  a::hot"), "{text}");
        assert!(text.contains("33.3 %  25.0 %        1  ████████          a::cold"), "{text}");
    }

    #[test]
    fn an_address_is_shown_with_its_place_in_the_function() {
        assert!(rendered("").contains("0x12  kernel  a::hot + 0x2"));
    }

    #[test]
    fn every_overflow_is_accounted_for_by_cause() {
        assert!(rendered("").contains("4 overflows = 3 samples + 1 lost (1 ring full, 0 outrun)"));
    }

    #[test]
    fn several_counters_stand_side_by_side() {
        let text = rendered(
            "sampling two\nsampled a general-0 10 20\nsampled b general-1 10 10\nsample 0x11 general-0 kernel\n\
             sample 0x20 general-0 kernel\nsample 0x21 general-1 kernel\noverflows 3\n",
        );
        assert!(text.contains("general 0  a         10       20        2   50.0 %  50.0 %"), "{text}");
        assert!(text.contains("general 1  b         10       10        1  100.0 %   0.0 %"), "{text}");
    }

    #[test]
    fn what_functions_do_stands_in_columns() {
        let text = rendered(
            "experiment two functions\nrule across 8 bytes\nshare 0x10 loads 1000\nshare 0x10 split 7\nshare 0x20 loads 5\n",
        );
        assert!(text.contains("one instruction at a time: two functions\n  across 8 bytes"), "{text}");
        assert!(text.contains("1,000      7  a::hot"), "{text}");
        assert!(text.contains("    5         a::cold"), "{text}");
    }
}
