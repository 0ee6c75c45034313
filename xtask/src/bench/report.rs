//! The figures that the kernel has printed.

use std::str::SplitWhitespace;

/// One figure, as it was measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) value: u64,
    pub(super) unit: String,
    pub(super) how: String,
    /// Reads, writes, and reads of counters, if registers are accessed.
    pub(super) accesses: Option<[u64; 3]>,
    /// Calls to the firmware, those of them that configure a counter, and the firmware's instructions, if there is one.
    pub(super) calls: Option<[u64; 3]>,
}

/// A figure that this unit does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Absent {
    pub(super) name: String,
    pub(super) reason: String,
}

/// All figures of a run.
#[derive(Default, Debug)]
pub(super) struct Report {
    pub(super) figures: Vec<Figure>,
    pub(super) absent: Vec<Absent>,
}

impl Report {
    /// Keeps what a line of the kernel's says; lines that are none of the bench's are passed on.
    pub(super) fn hear(&mut self, line: &str) {
        if self.keep(line).is_none() {
            eprintln!("kernel: {line}");
        }
    }

    fn keep(&mut self, line: &str) -> Option<()> {
        let mut words = line.split_whitespace();
        match words.next()? {
            "figure" => self.figures.push(figure(words)?),
            "accesses" => {
                let (name, accesses) = (words.next()?, numbers(&mut words)?);
                self.figure(name)?.accesses = Some(accesses);
            }
            "calls" => {
                let (name, calls) = (words.next()?, numbers(&mut words)?);
                self.figure(name)?.calls = Some(calls);
            }
            "absent" => self.leave_out(words.next()?, &words.collect::<Vec<_>>().join(" ")),
            _ => return None,
        }
        Some(())
    }

    fn figure(&mut self, name: &str) -> Option<&mut Figure> {
        self.figures.iter_mut().find(|figure| figure.name == name)
    }

    /// The kernel prints it once for each column.
    fn leave_out(&mut self, name: &str, reason: &str) {
        let absent = Absent { name: name.to_owned(), reason: reason.to_owned() };
        if !self.absent.contains(&absent) {
            self.absent.push(absent);
        }
    }

    /// Returns true if there is this figure, or the reason why it is absent.
    pub(super) fn mentions(&self, name: &str) -> bool {
        self.names().any(|other| other == name)
    }

    /// Returns the names of all figures.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let absent = self.absent.iter().map(|absent| absent.name.as_str());
        self.figures.iter().map(|figure| figure.name.as_str()).chain(absent)
    }
}

fn figure(mut words: SplitWhitespace) -> Option<Figure> {
    let (name, value) = (words.next()?.to_owned(), number(&mut words)?);
    let (unit, how) = (words.next()?.to_owned(), words.next()?.to_owned());
    Some(Figure { name, value, unit, how, accesses: None, calls: None })
}

fn numbers<const N: usize>(words: &mut SplitWhitespace) -> Option<[u64; N]> {
    let mut numbers = [0; N];
    for each in &mut numbers {
        *each = number(words)?;
    }
    Some(numbers)
}

fn number(words: &mut SplitWhitespace) -> Option<u64> {
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(lines: &str) -> Report {
        let mut report = Report::default();
        lines.lines().for_each(|line| assert_eq!(report.keep(line), Some(()), "{line}"));
        report
    }

    #[test]
    fn a_figure_is_read_with_its_accesses() {
        let report = heard("figure x86.rotate 420 instructions called\naccesses x86.rotate 1 8 4");
        let [figure] = &report.figures[..] else { panic!("{report:?}") };
        assert_eq!((figure.name.as_str(), figure.value, figure.how.as_str()), ("x86.rotate", 420, "called"));
        assert_eq!(figure.accesses, Some([1, 8, 4]));
    }

    #[test]
    fn a_figure_is_read_with_its_calls() {
        let report =
            heard("figure riscv.sbi.interrupt.1 200 instructions interrupted\ncalls riscv.sbi.interrupt.1 2 0 900");
        assert_eq!(report.figures[0].calls, Some([2, 0, 900]));
    }

    #[test]
    fn a_figure_that_is_absent_is_kept_once_with_its_reason() {
        let report = heard("absent x86.rotate the unit has 2 counters\nabsent x86.rotate the unit has 2 counters");
        let expected = Absent { name: "x86.rotate".into(), reason: "the unit has 2 counters".into() };
        assert_eq!((report.mentions("x86.rotate"), report.absent), (true, vec![expected]));
    }

    #[test]
    fn other_lines_are_no_figure() {
        let mut report = Report::default();
        let others = ["unit Intel", "figure x86.rotate many instructions called", "accesses x86.rotate 1 8 4"];
        assert_eq!(others.map(|line| report.keep(line)), [None; 3]);
        assert!(report.figures.is_empty());
    }
}
