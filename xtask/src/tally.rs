//! Counts the tests that passed and those that failed.

use std::fmt;

/// A sum of test results.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    passed: usize,
    failures: Vec<Failure>,
}

/// A test that failed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Failure {
    why: String,
    /// Its name, if it has one by which it can be chosen.
    name: Option<String>,
    /// The command that runs it again.
    rerun: Option<String>,
}

impl Tally {
    /// One test that passed.
    pub(crate) fn pass() -> Self {
        Self { passed: 1, failures: Vec::new() }
    }

    /// One test that failed, and why.
    pub(crate) fn failure(why: impl Into<String>) -> Self {
        Self { passed: 0, failures: vec![Failure { why: why.into(), ..Failure::default() }] }
    }

    /// One test that failed, which `--test` can choose by this name.
    pub(crate) fn named_failure(name: &str, why: impl Into<String>) -> Self {
        Self { passed: 0, failures: vec![Failure { why: why.into(), name: Some(name.to_owned()), rerun: None }] }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failures.extend_from_slice(&other.failures);
    }

    /// Prefix the failures with the place where they happened.
    pub(crate) fn within(mut self, place: &str) -> Self {
        self.failures.iter_mut().for_each(|failure| failure.why = format!("{place}: {}", failure.why));
        self
    }

    /// Says that `cargo xtask test` with these arguments runs the failures again, as far as that was not said yet.
    pub(crate) fn run_again_by(mut self, arguments: &str) -> Self {
        self.failures.iter_mut().for_each(|failure| failure.run_again_by(arguments));
        self
    }

    pub(crate) fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Returns true if something passed and nothing failed.
    pub(crate) fn is_good(&self) -> bool {
        self.passed > 0 && self.failures.is_empty()
    }
}

impl Failure {
    fn run_again_by(&mut self, arguments: &str) {
        let name = self.name.as_ref().map(|name| format!(" --test {}", quoted(name))).unwrap_or_default();
        self.rerun.get_or_insert_with(|| format!("cargo xtask test {arguments}{name}"));
    }
}

/// Returns a word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = word.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-:".contains(letter));
    if is_plain { word.to_owned() } else { format!("'{word}'") }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.why)?;
        self.rerun.iter().try_for_each(|command| write!(f, "\n    rerun: {command}"))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failures.len())
    }
}

impl FromIterator<Tally> for Tally {
    fn from_iter<T: IntoIterator<Item = Self>>(tallies: T) -> Self {
        let mut sum = Self::default();
        tallies.into_iter().for_each(|tally| sum.add(&tally));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_test_at_all_is_not_good() {
        assert!(!Tally::default().is_good());
    }

    #[test]
    fn one_failure_among_passes_is_not_good() {
        let sum: Tally = [Tally::pass(), Tally::failure("no")].into_iter().collect();
        assert!(!sum.is_good());
        assert_eq!(sum.to_string(), "1 passed, 1 failed");
    }

    fn told(tally: &Tally) -> Vec<String> {
        tally.failures().iter().map(Failure::to_string).collect()
    }

    #[test]
    fn a_failure_says_where_it_happened() {
        assert_eq!(told(&Tally::failure("b").within("a")), ["a: b"]);
    }

    #[test]
    fn a_failure_says_what_runs_it_again() {
        let named = Tally::named_failure("wraps", "wraps: 3").run_again_by("--only kernel --identity skylake");
        assert_eq!(
            told(&named.run_again_by("--only kernel")),
            ["wraps: 3\n    rerun: cargo xtask test --only kernel --identity skylake --test wraps"]
        );
        assert_eq!(
            told(&Tally::failure("no").run_again_by("--only builds")),
            ["no\n    rerun: cargo xtask test --only builds"]
        );
    }

    #[test]
    fn a_name_with_spaces_is_one_word_of_the_command() {
        let documented = Tally::named_failure("src/lib.rs - (line 3)", "no").run_again_by("--only host");
        assert_eq!(told(&documented), ["no\n    rerun: cargo xtask test --only host --test 'src/lib.rs - (line 3)'"]);
    }
}
