//! Runs `cargo test` on the host.
//!
//! These are the tests of the library, of the kernels' harness, of xtask and of what asks hardware. They are counted by libtest's lines.

use std::path::Path;

use anyhow::Result;

use crate::progress::Step;
use crate::tally::Tally;
use crate::toolchain::host_cargo;
use crate::{place, process};

/// Run the host's tests of all its workspaces, with the whole of each stress or a sample of it (tests/support/effort.rs).
///
/// # Errors
/// Cargo cannot be started.
pub(super) fn run(filter: Option<&str>, effort: &str) -> Result<Tally> {
    let workspaces = [
        ("library", place::root().to_owned()),
        ("harness", place::harness()),
        ("xtask", place::root().join("xtask")),
        ("check", place::check()),
    ];
    workspaces.iter().map(|(name, folder)| test(name, folder, filter, effort)).collect()
}

pub(super) fn test(name: &str, folder: &Path, filter: Option<&str>, effort: &str) -> Result<Tally> {
    let step = Step::begin(format!("host tests: {name}"));
    let mut cargo = host_cargo();
    cargo.current_dir(folder).env("PMU_EFFORT", effort).args(["test", "--no-fail-fast"]).args(filter);
    let outcome = process::run(&mut cargo)?;
    let tally = tally(&outcome).within(name);
    step.end(&tally.to_string());
    if !tally.failures().is_empty() {
        println!("{outcome}");
    }
    Ok(tally)
}

/// Counts the tests. If cargo fails without a failed test, the tests did not compile or crashed, which is a failure.
pub(super) fn tally(outcome: &process::Outcome) -> Tally {
    let results: Tally = outcome.output.lines().filter_map(result).collect();
    if outcome.succeeded || !results.failures().is_empty() {
        return results;
    }
    [results, Tally::failure("cargo test failed, but no single test did")].into_iter().collect()
}

/// `test name ... ok`, `test name ... FAILED`, and a should-panic's ` - should panic` before the dots.
fn result(line: &str) -> Option<Tally> {
    let (name, verdict) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    match verdict.split_whitespace().next()? {
        "ok" => Some(Tally::pass()),
        "FAILED" => Some(Tally::named_failure(name, name)),
        "ignored" | "ignored," => Some(Tally::named_failure(name, format!("{name} is ignored, which is no pass"))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(succeeded: bool, output: &str) -> process::Outcome {
        process::Outcome { succeeded, output: output.to_owned(), errors: String::new() }
    }

    #[test]
    fn tests_of_all_binaries_are_counted() {
        let text =
            "test a ... ok\ntest result: ok. 1 passed\n\ntest b::c ... ok\ntest src/lib.rs - d (line 3) ... ok\n";
        assert_eq!(tally(&outcome(true, text)).to_string(), "3 passed, 0 failed");
    }

    #[test]
    fn a_failed_test_is_named() {
        assert_eq!(tally(&outcome(false, "test a ... FAILED\n")), Tally::named_failure("a", "a"));
    }

    #[test]
    fn an_ignored_test_counts_as_failed() {
        assert_eq!(tally(&outcome(true, "test a ... ignored, too slow\n")).to_string(), "0 passed, 1 failed");
    }

    #[test]
    fn what_does_not_compile_is_a_failure() {
        assert_eq!(tally(&outcome(false, "")).to_string(), "0 passed, 1 failed");
    }
}
