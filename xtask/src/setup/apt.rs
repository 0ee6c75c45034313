//! Installs Debian packages.
//!
//! The package lists are fetched only if apt needs newer ones. While another apt runs, this one waits.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::sources::{self, Source};
use crate::process::{self, Outcome};
use crate::progress::Step;

/// The part of the archive that a package comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Suite {
    /// Debian 12 with its updates.
    Main,
    /// Packages of later releases, built for Debian 12.
    Backports,
}

/// The list of sources that is added. Others are not changed.
const OUR_LIST: &str = "/etc/apt/sources.list.d/pmu-backports.sources";
/// The suite's name in the sources.
pub(crate) const BACKPORTS: &str = "bookworm-backports";

/// Install these packages from that suite.
///
/// # Errors
/// The mirror for the backports cannot be derived from the machine's sources, or apt fails; the error contains its
/// output.
pub(crate) fn install(suite: Suite, packages: &[&str]) -> Result<()> {
    if suite == Suite::Backports {
        have_backports()?;
    }
    let amount = match amount(suite, packages)? {
        Some(amount) => amount,
        None => update(&[]).and_then(|()| amount(suite, packages))?.unwrap_or_default(),
    };
    let step = Step::begin(format!("set-up: apt-get install {} ({amount})", packages.join(" ")));
    let mut outcome = patiently(install_command(suite, packages).arg("-y"))?;
    if !outcome.succeeded {
        // The lists may name versions that the mirror has replaced since.
        update(&[])?;
        outcome = patiently(install_command(suite, packages).arg("-y"))?;
    }
    step.end(if outcome.succeeded { "installed" } else { "failed" });
    if outcome.succeeded { Ok(()) } else { bail!("apt-get install failed:\n{outcome}") }
}

/// Returns how much an installation fetches and needs, in apt's words, or `None` if the package lists do not allow it.
fn amount(suite: Suite, packages: &[&str]) -> Result<Option<String>> {
    let outcome = process::run(install_command(suite, packages).args(["-y", "--print-uris"]))?;
    Ok(outcome.succeeded.then(|| amount_in(&outcome.output)))
}

fn amount_in(answer: &str) -> String {
    let is_amount = |line: &&str| line.starts_with("Need to get ") || line.starts_with("After this operation, ");
    answer.lines().filter(is_amount).collect::<Vec<_>>().join(" ")
}

fn install_command(suite: Suite, packages: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive").env("LC_ALL", "C").args(["install", "--no-install-recommends"]);
    if suite == Suite::Backports {
        command.args(["--target-release", BACKPORTS]);
    }
    command.args(packages);
    command
}

/// Fetch the package lists, the machine's or by these options others.
///
/// # Errors
/// apt fails; the error contains its output.
pub(crate) fn update(options: &[String]) -> Result<()> {
    let step = Step::begin("set-up: apt-get update");
    let outcome = patiently(Command::new("apt-get").env("LC_ALL", "C").args(options).arg("update"))?;
    step.end(if outcome.succeeded { "done" } else { "failed" });
    if outcome.succeeded { Ok(()) } else { bail!("apt-get update failed:\n{outcome}") }
}

/// How often a lock is tried, and the time between two tries: ten minutes. (`DPkg::Lock::Timeout` waits for dpkg's lock,
/// and `apt-get update` takes another one, for which apt 2.6 does not wait.)
const TRIES: u32 = 120;
const PAUSE: Duration = Duration::from_secs(5);

/// Runs apt, again for as long as another one has its lock.
fn patiently(apt: &mut Command) -> Result<Outcome> {
    wait_for_lock(|| process::run(apt), || thread::sleep(PAUSE))
}

fn wait_for_lock(mut run: impl FnMut() -> Result<Outcome>, mut pause: impl FnMut()) -> Result<Outcome> {
    for _ in 1..TRIES {
        let outcome = run()?;
        if outcome.succeeded || !outcome.errors.contains("Could not get lock") {
            return Ok(outcome);
        }
        pause();
    }
    run()
}

/// Add the suite with the backports to the sources, unless it is there.
///
/// # Errors
/// Their mirror cannot be derived from the machine's sources.
pub(crate) fn have_backports() -> Result<()> {
    if sources::of_this_machine().iter().any(|source| source.has_suite(BACKPORTS)) {
        return Ok(());
    }
    let list = list_of(BACKPORTS)?;
    eprintln!("set-up: adding the suite {BACKPORTS} as {OUR_LIST}: Debian 12's own QEMU is too old");
    fs::write(OUR_LIST, list).with_context(|| format!("cannot write {OUR_LIST}"))
}

/// Returns the list of sources with a suite of Debian's that is on the machine's own mirror.
///
/// # Errors
/// That mirror cannot be derived from the machine's sources.
pub(crate) fn list_of(suite: &str) -> Result<String> {
    let sources = sources::of_this_machine();
    let archive = sources::debian_archive(&sources).with_context(|| {
        format!("no apt source of Debian's suite bookworm is known here: cannot tell where {suite} is")
    })?;
    Ok(list_on(archive, suite))
}

fn list_on(archive: &Source, suite: &str) -> String {
    Source { suites: vec![suite.to_owned()], components: vec!["main".to_owned()], ..archive.clone() }.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(succeeded: bool, errors: &str) -> Outcome {
        Outcome { succeeded, output: String::new(), errors: errors.to_owned() }
    }

    #[test]
    fn the_amount_is_said_in_apts_words() {
        let answer = "0 upgraded, 3 newly installed, 0 to remove.\nNeed to get 44.0 kB of archives.\n\
                      After this operation, 198 kB of additional disk space will be used.\n'http://a/b.deb' b.deb 9496\n";
        let amount =
            "Need to get 44.0 kB of archives. After this operation, 198 kB of additional disk space will be used.";
        assert_eq!(amount_in(answer), amount);
    }

    #[test]
    fn apt_runs_again_until_another_ones_lock_is_free() {
        let locked = || outcome(false, "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 8\n");
        let mut outcomes = [locked(), locked(), outcome(true, "")].into_iter();
        let mut pauses = 0;
        let last = wait_for_lock(|| Ok(outcomes.next().unwrap()), || pauses += 1).unwrap();
        assert_eq!((last.succeeded, pauses), (true, 2));
    }

    #[test]
    fn a_lock_that_is_never_free_is_a_failure() {
        let last = wait_for_lock(|| Ok(outcome(false, "E: Could not get lock x\n")), || ()).unwrap();
        assert!(!last.succeeded);
    }

    #[test]
    fn apt_that_fails_for_another_reason_is_not_run_again() {
        let wait = || panic!("it waits for a lock");
        assert!(!wait_for_lock(|| Ok(outcome(false, "E: Unable to locate package x\n")), wait).unwrap().succeeded);
    }

    #[test]
    fn backports_come_from_the_mirror_that_the_machine_uses_already() {
        let sources =
            sources::from_deb822("Types: deb\nURIs: file:/mirror/debian\nSuites: bookworm\nComponents: main\n");
        let list = list_on(&sources[0], BACKPORTS);
        assert_eq!(list, "Types: deb\nURIs: file:/mirror/debian\nSuites: bookworm-backports\nComponents: main\n");
    }
}
