//! How the tests ended, in the lines that `xtask` reads.
//!
//! ```text
//! test <name> ... ok
//! test <name> ... FAILED: <reason>
//! left out <name>: <reason>
//! kernel: <passed> passed, <failed> failed
//! ```

use core::fmt::{Display, Write};

/// How a run of a kernel ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All is well.
    Passed,
    /// Something is not.
    Failed,
}

/// A line for each test, and one for all.
#[derive(Debug)]
pub struct Report<W> {
    to: W,
    passed: u32,
    failed: u32,
}

impl<W: Write> Report<W> {
    /// Nothing has run yet.
    pub const fn new(to: W) -> Self {
        Self { to, passed: 0, failed: 0 }
    }

    /// The test of this name has ended.
    pub fn ended(&mut self, name: impl Display, outcome: Result<(), impl Display>) {
        let told = match outcome {
            Ok(()) => {
                self.passed += 1;
                writeln!(self.to, "test {name} ... ok")
            }
            Err(reason) => {
                self.failed += 1;
                writeln!(self.to, "test {name} ... FAILED: {reason}")
            }
        };
        told.expect("a console takes everything");
    }

    /// The test of this name is not shown here. It neither passes nor fails.
    pub fn left_out(&mut self, name: impl Display, reason: impl Display) {
        writeln!(self.to, "left out {name}: {reason}").expect("a console takes everything");
    }

    /// All tests have ended. Where none ran, nothing was shown.
    pub fn conclude(mut self) -> Verdict {
        let told = writeln!(self.to, "kernel: {} passed, {} failed", self.passed, self.failed);
        told.expect("a console takes everything");
        if self.failed == 0 && self.passed > 0 { Verdict::Passed } else { Verdict::Failed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Words;

    fn reported(outcomes: &[Result<(), &str>]) -> (Verdict, Words) {
        let mut words = Words::default();
        let mut report = Report::new(&mut words);
        outcomes.iter().for_each(|outcome| report.ended("it_works", *outcome));
        (report.conclude(), words)
    }

    #[test]
    fn each_test_has_its_line_and_all_have_one() {
        let (verdict, words) = reported(&[Ok(()), Err("3 is not 4")]);
        let expected = "test it_works ... ok test it_works ... FAILED: 3 is not 4 kernel: 1 passed, 1 failed ";
        assert_eq!((verdict, words.as_str()), (Verdict::Failed, expected));
    }

    #[test]
    fn a_test_that_is_left_out_is_told_and_shows_nothing() {
        let mut words = Words::default();
        let mut report = Report::new(&mut words);
        report.left_out("it_works", "nothing interrupts");
        assert_eq!(report.conclude(), Verdict::Failed);
        assert_eq!(words.as_str(), "left out it_works: nothing interrupts kernel: 0 passed, 0 failed ");
    }

    #[test]
    fn a_run_without_a_test_shows_nothing_and_fails() {
        assert_eq!(reported(&[]).0, Verdict::Failed);
        assert_eq!(reported(&[Ok(())]).0, Verdict::Passed);
    }
}
