//! Counts the tests that passed and those that failed.

use std::fmt;

/// A sum of test results.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    passed: usize,
    failures: Vec<String>,
}

impl Tally {
    /// One test that passed.
    pub(crate) fn pass() -> Self {
        Self { passed: 1, failures: Vec::new() }
    }

    /// One test that failed, and why.
    pub(crate) fn failure(why: impl Into<String>) -> Self {
        Self { passed: 0, failures: vec![why.into()] }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failures.extend_from_slice(&other.failures);
    }

    /// Prefix the failures with the place where they happened.
    pub(crate) fn within(mut self, place: &str) -> Self {
        self.failures.iter_mut().for_each(|failure| *failure = format!("{place}: {failure}"));
        self
    }

    pub(crate) fn failures(&self) -> &[String] {
        &self.failures
    }

    /// Returns true if something passed and nothing failed.
    pub(crate) fn is_good(&self) -> bool {
        self.passed > 0 && self.failures.is_empty()
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

    #[test]
    fn a_failure_says_where_it_happened() {
        assert_eq!(Tally::failure("b").within("a").failures(), ["a: b"]);
    }
}
