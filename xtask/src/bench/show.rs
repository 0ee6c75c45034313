//! Prints the figures with their targets and comparisons.

use std::fmt::Write;

use super::calls;
use super::peers::{SOURCES, beside};
use super::report::{Absent, Figure, Report};
use super::targets;
use super::verdict::Verdict;
use crate::identity::Identity;
use crate::table::{Align, Table};

/// Returns the figures, their sum, the absent ones, and the sources of the comparisons.
pub(super) fn table(mut report: Report, identity: Identity) -> String {
    report.figures.sort_by_key(|figure| targets::rank(identity, &figure.name));
    let mut table = Table::new([
        ("", Align::Left),
        ("name", Align::Left),
        ("value", Align::Right),
        ("unit", Align::Left),
        ("how", Align::Left),
        ("target", Align::Right),
        ("", Align::Left),
        ("accesses", Align::Left),
        ("target", Align::Left),
        ("", Align::Left),
        ("cycles", Align::Right),
        ("compared with", Align::Left),
    ]);
    report.figures.iter().for_each(|figure| table.row(row(figure, identity)));
    let calls = calls::table(&report.figures).map_or_else(String::new, |calls| format!("{calls}\n"));
    let mut text = format!("{table}\n{calls}{}", sum(&report.figures, identity));
    absent(&mut text, &report.absent);
    sources(&mut text);
    text
}

fn row(figure: &Figure, identity: Identity) -> [String; 12] {
    let (own, reached) = (verdict(figure, identity), verdict_of_accesses(figure, identity));
    let target = targets::target(identity, &figure.name).map_or_else(|| "-".into(), |target| target.to_string());
    let three = |accesses: targets::Accesses| accesses.map(|number| number.to_string()).join(" ");
    [
        "figure".into(),
        figure.name.clone(),
        figure.value.to_string(),
        figure.unit.clone(),
        figure.how.clone(),
        target,
        own.word().into(),
        figure.accesses.map(three).unwrap_or_default(),
        targets::accesses(identity, &figure.name).map(three).unwrap_or_default(),
        reached.word().into(),
        cycles(figure, identity).map(|cycles| cycles.to_string()).unwrap_or_default(),
        beside(&figure.name, own == Verdict::Missed),
    ]
}

fn verdict(figure: &Figure, identity: Identity) -> Verdict {
    targets::target(identity, &figure.name).map_or(Verdict::None, |target| Verdict::of(figure.value, target))
}

/// Returns the worst of the three verdicts.
fn verdict_of_accesses(figure: &Figure, identity: Identity) -> Verdict {
    let most = targets::accesses(identity, &figure.name);
    let pairs = figure.accesses.into_iter().flatten().zip(most.into_iter().flatten());
    pairs.map(|(number, most)| Verdict::of(number, most)).max().unwrap_or(Verdict::None)
}

/// Returns what a figure with accesses would take on hardware of x86's, by a model: see `docs/figures.md`.
fn cycles(figure: &Figure, identity: Identity) -> Option<u64> {
    let [reads, writes, counters] = figure.accesses.filter(|_| identity.word() == "x86")?;
    Some(100 * writes + 60 * reads + 25 * counters + figure.value * 2 / 5)
}

fn sum(figures: &[Figure], identity: Identity) -> String {
    let verdicts = figures
        .iter()
        .flat_map(|each| [verdict(each, identity), verdict_of_accesses(each, identity), calls::verdict(each)]);
    let verdicts: Vec<_> = verdicts.collect();
    let number = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    let [reached, within, missed] = [Verdict::Reached, Verdict::Within, Verdict::Missed].map(number);
    format!(
        "accesses: reads, writes and reads of counters; cycles: a model, for x86 (docs/figures.md)\n\
         {reached} targets reached, {within} missed by a tenth at the most, {missed} by more\n"
    )
}

/// Prints each reason once, with the figures that are absent for it.
fn absent(text: &mut String, absent: &[Absent]) {
    for (number, Absent { reason, .. }) in absent.iter().enumerate() {
        if absent[..number].iter().any(|other| other.reason == *reason) {
            continue;
        }
        let names = absent.iter().filter(|other| other.reason == *reason).map(|other| other.name.as_str());
        let names: Vec<_> = names.collect();
        writeln!(text, "not measured, since {reason}: {}", names.join(", ")).expect("a string takes everything");
    }
}

fn sources(text: &mut String) {
    for (mark, words) in SOURCES {
        if text.contains(mark) {
            writeln!(text, "{mark} {words}").expect("a string takes everything");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &str, identity: Identity) -> String {
        let mut report = Report::default();
        lines.lines().for_each(|line| report.hear(line));
        table(report, identity)
    }

    fn line_of<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
        let line = text.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name} in {text}"));
        line.split_whitespace().collect()
    }

    #[test]
    fn a_figure_that_misses_its_target_is_shown_as_it_is() {
        let text = shown(
            "figure x86.read.narrow.1 8 i inline\nfigure x86.read.narrow.4 35 i inline\nfigure x86.read.wide.1 20 i inline",
            Identity::Skylake,
        );
        assert_eq!(line_of(&text, "narrow.1")[2..7], ["8", "i", "inline", "11", "reached"]);
        assert_eq!(line_of(&text, "narrow.4")[2..7], ["35", "i", "inline", "32", "within"]);
        assert_eq!(line_of(&text, "wide.1")[2..7], ["20", "i", "inline", "18", "MISSED"]);
        assert!(text.contains("1 targets reached, 1 missed by a tenth at the most, 1 by more"), "{text}");
    }

    #[test]
    fn accesses_stand_beside_instructions_with_a_target_of_their_own() {
        let lines = "figure x86.switch.alternate.4 1 i inline\naccesses x86.switch.alternate.4 3 20 4";
        assert_eq!(line_of(&shown(lines, Identity::K8), "alternate")[7..14], ["3", "20", "4", "0", "8", "4", "MISSED"]);
        assert_eq!(line_of(&shown(lines, Identity::Zen4), "alternate")[10..14], ["0", "4", "4", "MISSED"]);
    }

    #[test]
    fn an_x86_figure_with_accesses_has_its_cycles_by_the_model() {
        let lines = |word| format!("figure {word}.rotate 500 i called\naccesses {word}.rotate 1 4 4");
        assert_eq!(line_of(&shown(&lines("x86"), Identity::Skylake), "rotate")[14], "760");
        assert!(!shown(&lines("aarch64"), Identity::CortexA57).contains("760"));
    }

    #[test]
    fn what_is_not_there_is_named_once_a_reason() {
        let lines = "absent x86.rotate the unit has 2 counters\nabsent x86.interrupt.4 the unit has 2 counters";
        let text = shown(lines, Identity::CoreDuo);
        assert!(text.contains("not measured, since the unit has 2 counters: x86.rotate, x86.interrupt.4\n"), "{text}");
    }

    #[test]
    fn the_source_of_a_peer_is_named_below() {
        let text = shown("figure x86.rotate 1 instructions called", Identity::Skylake);
        assert!(text.contains("Linux 10452 [1]") && text.contains("\n[1] measured") && !text.contains("[2]"), "{text}");
    }
}
