//! `cargo xtask mutants`: do the tests notice a mistake in every room?
//!
//! A mutant is one changed line. The sentences that its row names must pass without the change and fail with it. The work is
//! done in a copy of the sources, so the checkout stays as it is.

mod table;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{fmt, fs};

use anyhow::{Context, Result, ensure};

use crate::identity::Identity;
use crate::progress::Step;
use crate::tally::Tally;
use crate::toolchain::host_cargo;
use crate::{place, process};
use table::MUTANTS;

/// A changed line, and the tests that must fail because of it.
pub(super) struct Mutant {
    /// The file, from the repository's root.
    file: &'static str,
    /// What the line has, once in the file.
    from: &'static str,
    /// What it has instead.
    to: &'static str,
    tests: Tests,
}

/// Tests that `cargo xtask test` runs, too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tests {
    /// The library's own whose names contain this.
    Library(&'static str),
    /// Those of a crate in `tests` whose names contain this.
    Crate(&'static str, &'static str),
    /// The test kernel's on this processor whose names contain this.
    Kernel(Identity, &'static str),
}

/// Try each mutant whose file or line contains `filter`.
///
/// # Errors
/// The sources cannot be copied, no mutant is chosen, or cargo cannot be started.
pub(crate) fn run(filter: Option<&str>) -> Result<ExitCode> {
    let filter = filter.unwrap_or_default();
    let chosen: Vec<_> = MUTANTS.iter().filter(|mutant| mutant.to_string().contains(filter)).collect();
    ensure!(!chosen.is_empty(), "no mutant's file or line contains {filter}");
    let copy = Copied::new()?;
    let without = copy.judge_unchanged(&chosen)?;
    let mut sum = Tally::default();
    for (mutant, without) in chosen.iter().zip(without) {
        sum.add(&copy.examine(mutant, without)?);
    }
    sum.failures().iter().for_each(|failure| println!("FAILED: {failure}"));
    println!("{sum}");
    Ok(if sum.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What the tests made of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Passed,
    Failed,
    /// There was no such test, or it did not compile: it says nothing of the program.
    Nothing,
}

/// A copy of the files that git knows, which is changed and built in place of the checkout.
struct Copied {
    root: PathBuf,
}

impl Copied {
    /// # Errors
    /// Git does not list the files, or one cannot be copied.
    fn new() -> Result<Self> {
        let copy = Self { root: place::mutants_target().join("source") };
        let mut git = Command::new("git");
        let listed = process::run(git.current_dir(place::root()).args(["ls-files", "-z"]))?;
        ensure!(listed.succeeded, "git does not list the sources: {}", listed.complaint());
        for file in listed.output.split_terminator('\0') {
            copy.take(Path::new(file))?;
        }
        Ok(copy)
    }

    /// Takes a file over, unless it is the same already: cargo builds again what was written.
    fn take(&self, file: &Path) -> Result<()> {
        let (from, to) = (place::root().join(file), self.root.join(file));
        let text = fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
        if fs::read(&to).is_ok_and(|there| there == text) {
            return Ok(());
        }
        fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
        fs::copy(&from, &to).map(drop).with_context(|| format!("cannot write {}", to.display()))
    }

    /// Runs their tests without a change, those of several once, and returns what each mutant's made of it.
    ///
    /// # Errors
    /// Cargo cannot be started.
    fn judge_unchanged(&self, mutants: &[&Mutant]) -> Result<Vec<Verdict>> {
        let mut judged: Vec<(Tests, Verdict)> = Vec::new();
        for mutant in mutants {
            if !judged.iter().any(|(tests, _)| *tests == mutant.tests) {
                let step = Step::begin(mutant.tests.to_string());
                let verdict = self.judge(mutant.tests)?;
                step.end(&format!("{verdict:?}"));
                judged.push((mutant.tests, verdict));
            }
        }
        let of =
            |mutant: &&Mutant| judged.iter().find(|(tests, _)| *tests == mutant.tests).map(|(_, verdict)| *verdict);
        Ok(mutants.iter().filter_map(of).collect())
    }

    /// Runs its tests with the change.
    ///
    /// # Errors
    /// Cargo cannot be started, or the file cannot be written.
    fn examine(&self, mutant: &Mutant, without: Verdict) -> Result<Tally> {
        let step = Step::begin(mutant.to_string());
        let file = self.root.join(mutant.file);
        let original = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let Some(changed) = mutant.changed(&original) else {
            step.end("not applied");
            return Ok(Tally::failure(format!("{mutant}: the line is not there, or not once")));
        };
        fs::write(&file, changed)?;
        let with = self.judge(mutant.tests);
        fs::write(&file, original)?;
        let tally = conclude(mutant, without, with?);
        step.end(if tally.is_good() { "noticed" } else { "not noticed" });
        Ok(tally)
    }

    fn judge(&self, tests: Tests) -> Result<Verdict> {
        let outcome = process::run(tests.command().current_dir(&self.root))?;
        Ok(verdict(outcome.succeeded, &outcome.output))
    }
}

fn conclude(mutant: &Mutant, without: Verdict, with: Verdict) -> Tally {
    match (without, with) {
        (Verdict::Passed, Verdict::Failed) => Tally::pass(),
        (Verdict::Passed, Verdict::Passed) => Tally::failure(format!("{mutant}: its tests pass all the same")),
        (Verdict::Passed, Verdict::Nothing) => Tally::failure(format!("{mutant}: it does not compile")),
        (without, _) => Tally::failure(format!("{mutant}: without the change its tests end with {without:?}")),
    }
}

/// A test that hangs or ends its process fails as well: libtest has printed that it runs tests by then. `cargo xtask test` says
/// how many tests a kernel passed, or what failed.
fn verdict(succeeded: bool, output: &str) -> Verdict {
    let has_passed = |line: &str| line.ends_with(" passed, 0 failed") && !line.starts_with("0 ");
    let has_failed = |line: &str| line.starts_with("FAILED: ") && !line.starts_with("FAILED: building ");
    let ran = |line: &str| line.starts_with("test ") || has_passed(line) || has_failed(line);
    match output.lines().any(ran) || output.contains("\nrunning ") && !succeeded {
        true if succeeded => Verdict::Passed,
        true => Verdict::Failed,
        false => Verdict::Nothing,
    }
}

impl Mutant {
    /// Returns the file's text with the changed line; `None` unless the line is there once.
    fn changed(&self, text: &str) -> Option<String> {
        (text.matches(self.from).count() == 1).then(|| text.replacen(self.from, self.to, 1))
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            "" => write!(f, "{}: without `{}`", self.file, self.from),
            to => write!(f, "{}: `{to}` in place of `{}`", self.file, self.from),
        }
    }
}

impl fmt::Display for Tests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(filter) => write!(f, "the library's {filter}"),
            Self::Crate(name, filter) => write!(f, "{name}'s {filter}"),
            Self::Kernel(identity, filter) => write!(f, "the kernel's {filter} on {identity}"),
        }
    }
}

impl Tests {
    fn command(self) -> Command {
        let mut cargo = host_cargo();
        cargo.env("CARGO_TARGET_DIR", place::mutants_target());
        match self {
            Self::Library(filter) => cargo.args(["test", "--lib", filter]),
            Self::Crate(name, filter) => cargo.args(["test", "--test", name, filter]),
            Self::Kernel(identity, filter) => {
                // Without the alias: the copy lies within the repository, whose alias cargo would add to the copy's own.
                cargo.args(["run", "--package", "xtask", "--", "test"]);
                cargo.args(["--only", "kernel", "--test", filter, "--identity"]);
                cargo.arg(identity.to_string())
            }
        };
        cargo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MUTANT: Mutant = Mutant { file: "a.rs", from: "+ 1", to: "+ 2", tests: Tests::Library("") };

    #[test]
    fn a_line_that_is_not_there_once_is_not_changed() {
        assert_eq!(MUTANT.changed("a + 1").as_deref(), Some("a + 2"));
        assert_eq!((MUTANT.changed("a"), MUTANT.changed("a + 1 + 1")), (None, None));
    }

    #[test]
    fn a_mutant_is_noticed_if_tests_fail_with_it_and_pass_without() {
        let verdicts = [Verdict::Passed, Verdict::Failed, Verdict::Nothing];
        let noticed = |without| verdicts.map(|with| conclude(&MUTANT, without, with).is_good());
        assert_eq!(verdicts.map(noticed), [[false, true, false], [false; 3], [false; 3]]);
    }

    #[test]
    fn a_program_that_does_not_compile_is_no_failed_test() {
        assert_eq!(verdict(false, ""), Verdict::Nothing);
        assert_eq!(verdict(true, "\nrunning 0 tests\n"), Verdict::Nothing);
        assert_eq!(verdict(true, "\nrunning 1 test\ntest a ... ok\n"), Verdict::Passed);
        assert_eq!(verdict(false, "\nrunning 1 test\ntest a ... FAILED\n"), Verdict::Failed);
        assert_eq!(verdict(false, "\nrunning 1 test\n"), Verdict::Failed);
        assert_eq!(verdict(true, "0 passed, 0 failed\n"), Verdict::Nothing);
        assert_eq!(verdict(true, "1 passed, 0 failed\n"), Verdict::Passed);
        assert_eq!(verdict(false, "FAILED: kernel test a on skylake\n0 passed, 1 failed\n"), Verdict::Failed);
        assert_eq!(verdict(false, "FAILED: building the test kernel x86\n0 passed, 1 failed\n"), Verdict::Nothing);
    }

    #[test]
    fn every_mutants_line_is_in_its_file_once() {
        for mutant in MUTANTS {
            let text = fs::read_to_string(place::root().join(mutant.file)).unwrap();
            assert!(mutant.changed(&text).is_some(), "{mutant}");
        }
    }
}
