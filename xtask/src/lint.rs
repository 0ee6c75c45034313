//! Is every source formatted, and has clippy nothing to say?
//!
//! The workspaces for bare machines need the cross compiler; the compiler that ships with it has no clippy, so for them
//! the check is rustfmt's alone.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::progress::Step;
use crate::suite::Tally;
use crate::toolchain::host_cargo;
use crate::{place, process};

/// Format in all workspaces, clippy in those of the host.
///
/// # Errors
/// Cargo cannot be started.
pub(crate) fn run() -> Result<ExitCode> {
    let host = [place::root().to_owned(), place::root().join("xtask")];
    let bare = [place::kernel(), place::no_panic()];
    let formats = host.iter().chain(&bare).map(|folder| check(folder, &["fmt", "--check"]));
    let clippy = ["clippy", "--all-targets", "--", "--deny", "warnings"];
    let sum: Tally = formats.chain(host.iter().map(|folder| check(folder, &clippy))).collect::<Result<_>>()?;
    println!("{sum}");
    Ok(if sum.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check(folder: &PathBuf, arguments: &[&str]) -> Result<Tally> {
    let name = folder.strip_prefix(place::root()).map(|path| path.display().to_string()).unwrap_or_default();
    let title = format!("cargo {} in ./{name}", arguments[0]);
    let step = Step::begin(title.clone());
    let outcome = process::run(host_cargo().current_dir(folder).args(arguments))?;
    step.end(if outcome.succeeded { "clean" } else { "not clean" });
    if outcome.succeeded {
        return Ok(Tally::pass());
    }
    println!("{}{}", outcome.output, outcome.complaint());
    Ok(Tally::failure(title))
}
