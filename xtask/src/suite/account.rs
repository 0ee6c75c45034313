//! What each part of the tests did and cost, as it is printed at the end.

use std::time::{Duration, Instant};

use crate::cost;
use crate::table::{Align, Table};
use crate::tally::Tally;

/// A part that has ended.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) tally: Tally,
    pub(super) time: Duration,
    pub(super) cost: Duration,
    /// What its set-up cost beforehand.
    pub(super) set_up: Duration,
}

impl Entry {
    /// Does this work and keeps what it cost.
    pub(super) fn of(name: String, work: impl FnOnce() -> Tally) -> Self {
        let (begun, before) = (Instant::now(), cost::of_thread());
        let tally = work();
        let (time, cost) = (begun.elapsed(), cost::of_thread() - before);
        Self { name, tally, time, cost, set_up: Duration::ZERO }
    }
}

/// Lists the parts with their shares of the cost, and below them what set-up cost.
pub(super) fn table(entries: &[Entry]) -> Table {
    let total = entries.iter().map(|entry| entry.cost).sum::<Duration>().max(Duration::from_nanos(1)).as_secs_f64();
    let mut table = Table::new([
        ("part", Align::Left),
        ("tests", Align::Left),
        ("s", Align::Right),
        ("CPU s", Align::Right),
        ("share", Align::Right),
    ]);
    let seconds = |time: Duration| format!("{:.1}", time.as_secs_f64());
    for Entry { name, tally, time, cost, .. } in entries {
        let share = 100.0 * cost.as_secs_f64() / total;
        table.row([name.clone(), tally.to_string(), seconds(*time), seconds(*cost), format!("{share:.0} %")]);
    }
    let set_up = seconds(entries.iter().map(|entry| entry.set_up).sum());
    table.row(["set-up".to_owned(), String::new(), String::new(), set_up, String::new()]);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, tally: Tally, cost: u64) -> Entry {
        let [time, cost, set_up] = [10, cost, 4].map(Duration::from_secs);
        Entry { name: name.to_owned(), tally, time, cost, set_up }
    }

    #[test]
    fn each_part_is_listed_with_its_share() {
        let text = table(&[entry("host", Tally::pass(), 15), entry("guests", Tally::failure("no"), 5)]).to_string();
        let lines: Vec<Vec<_>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["host", "1", "passed,", "0", "failed", "10.0", "15.0", "75", "%"]);
        assert_eq!(lines[2], ["guests", "0", "passed,", "1", "failed", "10.0", "5.0", "25", "%"]);
        assert_eq!(lines[3], ["set-up", "8.0"], "it has no share");
    }

    #[test]
    fn a_run_that_ran_no_program_has_no_shares() {
        let text = table(&[entry("proofs", Tally::failure("no"), 0)]).to_string();
        assert!(text.contains("0.0    0 %\n"), "{text}");
    }

    #[test]
    fn what_a_part_costs_is_what_its_programs_cost() {
        let entry = Entry::of("host".to_owned(), || {
            crate::cost::add_to_thread(Duration::from_secs(3));
            Tally::pass()
        });
        assert_eq!((entry.cost, entry.tally), (Duration::from_secs(3), Tally::pass()));
    }
}
