//! Installs Debian packages.
//!
//! The package lists are fetched only if apt needs newer ones.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::sources::{self, Source};
use crate::process;
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
    if !is_possible(suite, packages)? {
        update(&[])?;
    }
    let step = Step::begin(format!("set-up: apt-get install {}", packages.join(" ")));
    let mut outcome = process::run(install_command(suite, packages).arg("-y"))?;
    if !outcome.succeeded {
        // The lists may name versions that the mirror has replaced since.
        update(&[])?;
        outcome = process::run(install_command(suite, packages).arg("-y"))?;
    }
    step.end(if outcome.succeeded { "installed" } else { "failed" });
    if outcome.succeeded { Ok(()) } else { bail!("apt-get install failed:\n{outcome}") }
}

fn is_possible(suite: Suite, packages: &[&str]) -> Result<bool> {
    Ok(process::run(install_command(suite, packages).arg("--simulate"))?.succeeded)
}

fn install_command(suite: Suite, packages: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive").args(["install", "--no-install-recommends"]);
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
    let outcome = process::run(Command::new("apt-get").args(options).arg("update"))?;
    step.end(if outcome.succeeded { "done" } else { "failed" });
    if outcome.succeeded { Ok(()) } else { bail!("apt-get update failed:\n{outcome}") }
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

    #[test]
    fn backports_come_from_the_mirror_that_the_machine_uses_already() {
        let sources =
            sources::from_deb822("Types: deb\nURIs: file:/mirror/debian\nSuites: bookworm\nComponents: main\n");
        let list = list_on(&sources[0], BACKPORTS);
        assert_eq!(list, "Types: deb\nURIs: file:/mirror/debian\nSuites: bookworm-backports\nComponents: main\n");
    }
}
