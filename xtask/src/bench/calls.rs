//! The calls to the firmware, of a driver whose unit the firmware has, beside their targets, and the instructions that the
//! firmware takes for them.

use super::report::Figure;
use super::verdict::Verdict;
use crate::table::{Align, Table};

/// The most calls that the hot paths make; none of them configures a counter. A switch stops the one set, and starts the
/// other by a call for each value that counters begin with, and one for those that go on where they were.
const MOST: [(&str, u64); 11] = [
    ("read.narrow.1", 0),
    ("read.narrow.4", 0),
    ("read.wide.1", 0),
    ("read.wide.4", 0),
    ("interrupt.1", 2),
    ("switch.none", 0),
    ("switch.same.1", 3),
    ("switch.same.4", 6),
    ("switch.alternate.1", 3),
    ("switch.alternate.4", 6),
    ("user_read.1", 0),
];

/// Returns the table of those figures that have calls, or `None` if none has.
pub(super) fn table(figures: &[Figure]) -> Option<Table> {
    let rows: Vec<_> = figures.iter().filter_map(row).collect();
    let mut table = Table::new([
        ("", Align::Left),
        ("name", Align::Left),
        ("calls", Align::Right),
        ("target", Align::Right),
        ("configuring", Align::Right),
        ("", Align::Left),
        ("of the firmware", Align::Right),
    ]);
    let is_empty = rows.is_empty();
    rows.into_iter().for_each(|row| table.row(row));
    (!is_empty).then_some(table)
}

fn row(figure: &Figure) -> Option<[String; 7]> {
    let [calls, configuring, instructions] = figure.calls?.map(|number| number.to_string());
    let most = most(figure).map_or_else(|| "-".into(), |most| most.to_string());
    let word = verdict(figure).word().into();
    Some(["calls".into(), figure.name.clone(), calls, most, configuring, word, instructions])
}

/// Returns whether a figure has as few calls as it may, and none that configures.
pub(super) fn verdict(figure: &Figure) -> Verdict {
    let Some(([calls, configuring, _], most)) = figure.calls.zip(most(figure)) else { return Verdict::None };
    Verdict::of(calls, most).max(Verdict::of(configuring, 0))
}

fn most(figure: &Figure) -> Option<u64> {
    let (_, name) = figure.name.split_once(".sbi.")?;
    MOST.iter().find(|(known, _)| *known == name).map(|&(_, most)| most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::report::Report;

    fn verdict_of(calls: &str) -> Verdict {
        let mut report = Report::default();
        report.hear("figure riscv.sbi.interrupt.1 200 instructions interrupted");
        report.hear(&format!("calls riscv.sbi.interrupt.1 {calls}"));
        verdict(&report.figures[0])
    }

    #[test]
    fn one_call_too_many_misses_the_target_and_so_does_one_that_configures() {
        assert_eq!(
            ["2 0 900", "3 0 900", "2 1 900"].map(verdict_of),
            [Verdict::Reached, Verdict::Missed, Verdict::Missed]
        );
    }

    #[test]
    fn figures_without_a_firmware_have_no_table() {
        let mut report = Report::default();
        report.hear("figure riscv.m.interrupt.1 200 instructions interrupted");
        assert!(table(&report.figures).is_none());
    }
}
