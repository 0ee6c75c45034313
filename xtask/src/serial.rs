//! Parses the results of the kernel's tests on the serial port.
//!
//! ```text
//! test <name> ... ok
//! test <name> ... FAILED: <reason>
//! kernel: <passed> passed, <failed> failed
//! ```
//! The last line comes once, at the end. Without it, or if its numbers differ from the lines before, the run failed.

use std::collections::BTreeSet;

use crate::machine::Ending;
use crate::tally::Tally;

/// The results so far.
#[derive(Default)]
pub(crate) struct Report {
    results: Tally,
    /// The names of the tests that passed.
    passed: BTreeSet<String>,
    summary: Option<String>,
    /// The last line with a result.
    last: Option<String>,
    /// Lines that are not results, mostly the message of a panic.
    other: Vec<String>,
}

impl Report {
    pub(crate) fn hear(&mut self, line: &str) {
        if let Some((name, result)) = result(line) {
            if result.is_good() {
                self.passed.insert(name.to_owned());
            }
            self.results.add(&result);
            self.last = Some(line.to_owned());
        } else if let Some(summary) = line.strip_prefix("kernel: ") {
            self.summary = Some(summary.to_owned());
        } else {
            self.other.push(line.to_owned());
        }
    }

    /// Returns true if the kernel printed that it has no such test.
    pub(crate) fn has_no_test(&self) -> bool {
        self.results == Tally::default() && self.summary.as_deref() == Some("0 passed, 0 failed")
    }

    /// Takes the names of the tests that passed.
    pub(crate) fn take_passed(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.passed)
    }

    /// Returns the sum, at the end of the run.
    pub(crate) fn conclude(self, ending: Ending) -> Tally {
        let has_failures = !self.results.failures().is_empty();
        let mut results = self.results;
        if self.summary.as_deref() != Some(&results.to_string()) {
            let heard = self.summary.as_deref().unwrap_or("no last line");
            let words = self.other.join("\n    ");
            let last = self.last.as_deref().unwrap_or("none");
            let reason =
                format!("heard {results}, the last: {last}; the kernel says: {heard}; it {ending}\n    {words}");
            results.add(&Tally::failure(reason));
        } else if ending != Ending::Success && !has_failures {
            results.add(&Tally::failure(format!("no test failed, but the kernel {ending}")));
        }
        results
    }
}

fn result(line: &str) -> Option<(&str, Tally)> {
    let (name, verdict) = line.strip_prefix("test ")?.split_once(" ... ")?;
    if verdict == "ok" {
        return Some((name, Tally::pass()));
    }
    let reason = verdict.strip_prefix("FAILED").unwrap_or(verdict).trim_start_matches([':', ' ']);
    // Behind a blank stands on which of the kernel's units it ran, which nobody chooses.
    let test = name.split(' ').next().unwrap_or(name);
    Some((name, Tally::named_failure(test, format!("{name}: {reason}"))))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn concluded(lines: &[&str], ending: Ending) -> String {
        let mut report = Report::default();
        lines.iter().for_each(|line| report.hear(line));
        report.conclude(ending).to_string()
    }

    #[test]
    fn a_run_that_says_so_passed() {
        let lines = ["booting", "test a ... ok", "test b ... ok", "kernel: 2 passed, 0 failed"];
        assert_eq!(concluded(&lines, Ending::Success), "2 passed, 0 failed");
    }

    #[test]
    fn a_failed_test_counts_once() {
        let lines = ["test a ... ok", "test b ... FAILED: 3 instead of 4", "kernel: 1 passed, 1 failed"];
        assert_eq!(concluded(&lines, Ending::Failed(Some(35))), "1 passed, 1 failed");
    }

    #[test]
    fn a_failure_is_run_again_by_the_tests_name_alone() {
        let (name, tally) = result("test a on the model ... FAILED: 3 instead of 4").expect("it is a result");
        let told = tally.run_again_by("--only kernel").failures()[0].to_string();
        let rerun = "a on the model: 3 instead of 4\n    rerun: cargo xtask test --only kernel --test a";
        assert_eq!((name, told.as_str()), ("a on the model", rerun));
    }

    #[test]
    fn a_run_without_its_last_line_failed() {
        assert_eq!(concluded(&["test a ... ok"], Ending::Success), "1 passed, 1 failed");
    }

    #[test]
    fn a_silent_kernel_is_told_with_its_last_result() {
        let mut report = Report::default();
        ["booting", "test a ... ok"].iter().for_each(|line| report.hear(line));
        let tally = report.conclude(Ending::Silent(Duration::from_secs(300)));
        assert_eq!(
            tally.failures()[0].to_string(),
            "heard 1 passed, 0 failed, the last: test a ... ok; the kernel says: no last line; it was stopped after \
             300 s without a line (QEMU's waits for a processor not counted)\n    booting"
        );
    }

    #[test]
    fn a_kernel_without_such_a_test_says_so() {
        let mut report = Report::default();
        assert!(!report.has_no_test());
        report.hear("kernel: 0 passed, 0 failed");
        assert!(report.has_no_test());
    }

    #[test]
    fn a_lost_result_is_a_failure() {
        let lines = ["test a ... ok", "kernel: 2 passed, 0 failed"];
        assert_eq!(concluded(&lines, Ending::Success), "1 passed, 1 failed");
    }

    #[test]
    fn a_kernel_that_is_not_content_failed() {
        let lines = ["test a ... ok", "kernel: 1 passed, 0 failed"];
        assert_eq!(concluded(&lines, Ending::Failed(None)), "1 passed, 1 failed");
    }
}
