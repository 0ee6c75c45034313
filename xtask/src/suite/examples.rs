//! `cargo test` in the folders of the examples, and of a test kernel, as their authors type it.
//!
//! It boots the kernels in QEMU. They must complete and print the expected lines.

mod list;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::stranger;
use crate::at_once::at_once;
use crate::kernel::Kernel;
use crate::process::Outcome;
use crate::program;
use crate::progress::Step;
use crate::setup::Need;
use crate::tally::Tally;
use crate::toolchain::{Toolchain, host_cargo};
use crate::{place, process, report};
use list::{EXAMPLES, Example, Foreign, IN_KERNEL, UEFI_TARGETS};

/// What is needed to build what UEFI firmware starts.
pub(crate) const UEFI_CORE: [Need; 2] = [Need::Target(UEFI_TARGETS[0]), Need::Target(UEFI_TARGETS[1])];
/// The report that `check` leaves on its stick, where it is built.
const REPORT: &str = "aarch64-unknown-uefi/release/deps/aarch64.stick.report";

/// The example's folder that is no kernel, and one of its tests.
const ON_HOST: (&str, &str) = ("rustsbi", "test a_guests_counter_counts_and_interrupts_on_the_nth_event ... ok");

/// Returns the folder of the one that is no kernel.
pub(crate) fn on_host() -> PathBuf {
    place::examples().join(ON_HOST.0)
}

impl Example {
    fn name(&self) -> String {
        let is_one_of_several = EXAMPLES.iter().filter(|example| example.folder == self.folder).count() > 1;
        let targets = is_one_of_several.then(|| format!(" for {}", self.targets().join(", ")));
        name(self.folder) + &targets.unwrap_or_default()
    }

    fn path(&self) -> PathBuf {
        place::examples().join(self.folder)
    }

    /// Where it is built: where the test kernel was, with `core` and the library, if its flags are the same.
    fn target_folder(&self) -> PathBuf {
        let foreign = self.within.as_ref();
        foreign.map_or_else(|| self.like.target_folder(), |foreign| place::cross_target().join(foreign.built))
    }

    /// Returns its targets, if they are not those of the folder's configuration.
    fn targets(&self) -> &'static [&'static str] {
        self.within.as_ref().map_or(&[], |foreign| foreign.targets)
    }

    /// Where it is built from: beside the packaged library, if it is to take that.
    fn source(&self) -> Result<PathBuf> {
        let is_packaged = self.within.as_ref().is_some_and(|foreign| foreign.is_packaged);
        if is_packaged { stranger::beside_package(&self.path()) } else { Ok(self.path()) }
    }

    /// Returns cargo, which is to do this in that folder.
    fn cargo(&self, toolchain: Toolchain, command: &str, folder: &Path) -> Command {
        let mut cargo = cargo(toolchain.cargo(), command, folder, &self.target_folder());
        cargo.args(self.targets().iter().flat_map(|target| ["--target", target]));
        cargo
    }

    /// Returns false if the compiler is too old for its packages, or Debian's, which has no `core` for UEFI.
    fn is_for(&self, toolchain: Toolchain) -> bool {
        let has_core = |foreign: &Foreign| foreign.package != "uefi" || toolchain == Toolchain::Active;
        let has = |foreign: &Foreign| has_core(foreign) && toolchain.version() >= Some(foreign.compiler);
        self.within.as_ref().is_none_or(has)
    }
}

/// Returns the folders of the kernels, each once.
pub(crate) fn all() -> BTreeSet<PathBuf> {
    EXAMPLES.iter().map(Example::path).collect()
}

/// Returns the test kernel whose tools each kernel needs, its folder, where it is built, and for which targets if they are not
/// those of the folder's configuration.
pub(crate) fn folders() -> impl Iterator<Item = (Kernel, PathBuf, PathBuf, &'static [&'static str])> {
    EXAMPLES.iter().map(|example| (example.like, example.path(), example.target_folder(), example.targets()))
}

/// Returns what is needed to build and boot them.
pub(crate) fn needs() -> Vec<Need> {
    let of_kernels = EXAMPLES.iter().flat_map(|example| example.like.needs());
    of_kernels.chain(UEFI_CORE).chain(program::UEFI.map(Need::Uefi)).collect()
}

/// Compiles the packages of others' kernels for the tests whose names contain the filter. That takes long where they are not
/// compiled yet, and is no part of the tests.
///
/// # Errors
/// No toolchain has the source of `core`, or cargo cannot be started.
pub(crate) fn set_up(filter: Option<&str>) -> Result<()> {
    let toolchain = toolchain()?;
    for example in EXAMPLES.iter().filter(|example| is_wanted(&example.name(), filter) && example.is_for(toolchain)) {
        let Some(Foreign { package, cost, .. }) = example.within else { continue };
        let name = example.name();
        let title = format!("set-up: the packages of {name} (some {cost} processor seconds unless they are compiled)");
        let step = Step::begin(title);
        let outcome = process::run(example.cargo(toolchain, "build", &example.path()).args(["--package", package]))?;
        step.end(if outcome.succeeded { "compiled" } else { "failed, as the test will tell" });
    }
    Ok(())
}

/// `cargo test` in each folder, and for one test in a test kernel's. Each is a test, and those whose names contain the
/// filter are run.
///
/// # Errors
/// No toolchain has the source of `core`, or cargo cannot be started.
pub(super) fn run(filter: Option<&str>) -> Result<Tally> {
    let toolchain = toolchain()?;
    let (kernel, sentence, identity) = IN_KERNEL;
    let mut in_kernel = cargo(toolchain.cargo(), "test", &kernel.folder(), &kernel.target_folder());
    in_kernel.args([sentence, "--", "--identity", identity]);
    let (folder, says) = ON_HOST;
    let on_host = cargo(host_cargo(), "test", &on_host(), &place::cross_target().join(folder));
    let mut tests = vec![
        (format!("the test kernel {kernel}"), vec![in_kernel], ["1 passed, 0 failed"].as_slice()),
        (name(folder), vec![on_host], std::slice::from_ref(&says)),
    ];
    for example in EXAMPLES.iter().filter(|example| is_wanted(&example.name(), filter)) {
        if !example.is_for(toolchain) {
            println!("left out: {}, for which the compiler is too old or has no core", example.name());
            continue;
        }
        let reader = (example.folder == "check").then(|| report::command(&example.target_folder().join(REPORT)));
        let commands = [example.cargo(toolchain, "test", &example.source()?)].into_iter().chain(reader);
        tests.push((example.name(), commands.collect(), example.says));
    }
    tests.retain(|(name, ..)| is_wanted(name, filter));
    at_once(tests.into_iter().map(|(name, commands, says)| move || test(&name, commands, says))).into_iter().collect()
}

fn is_wanted(name: &str, filter: Option<&str>) -> bool {
    filter.is_none_or(|filter| name.contains(filter))
}

fn name(folder: &str) -> String {
    format!("the example {folder}")
}

fn toolchain() -> Result<Toolchain> {
    Toolchain::find().context("no toolchain has the source of core")
}

fn cargo(mut cargo: Command, command: &str, folder: &Path, target: &Path) -> Command {
    cargo.current_dir(folder).args([command, "--release", "--target-dir"]).arg(target);
    cargo
}

/// Runs `cargo test`, and what reads its result. They must succeed, and their lines must have these beginnings.
fn test(name: &str, commands: Vec<Command>, beginnings: &[&str]) -> Result<Tally> {
    let step = Step::begin(format!("cargo test in the folder of {name}"));
    let outcome = run_all(commands)?;
    let missing = missing(beginnings, &outcome.output);
    let is_good = outcome.succeeded && missing.is_none();
    step.end(if is_good { "succeeded" } else { "failed" });
    if is_good {
        return Ok(Tally::pass());
    }
    println!("{outcome}");
    Ok(Tally::named_failure(name, format!("cargo test in the folder of {name}; missing: {missing:?}")))
}

/// Runs commands until one fails, and returns what all of them print.
fn run_all(commands: Vec<Command>) -> Result<Outcome> {
    let mut all = Outcome { succeeded: true, output: String::new(), errors: String::new() };
    for mut command in commands {
        let Outcome { succeeded, output, errors } = process::run(&mut command)?;
        (all.succeeded, all.output, all.errors) = (succeeded, all.output + &output, all.errors + &errors);
        if !succeeded {
            break;
        }
    }
    Ok(all)
}

/// Returns the first of these beginnings that no line has after the line with the previous one.
fn missing<'s>(beginnings: &[&'s str], text: &str) -> Option<&'s str> {
    let mut lines = text.lines();
    beginnings.iter().copied().find(|beginning| !lines.any(|line| line.starts_with(beginning)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_missing_or_comes_too_early_is_named() {
        let text = "counted: 3\nslept\ndone\n";
        assert_eq!(missing(&["counted", "done"], text), None);
        assert_eq!(missing(&["counted", "thread"], text), Some("thread"));
        assert_eq!(missing(&["slept", "counted"], text), Some("counted"));
    }
}
