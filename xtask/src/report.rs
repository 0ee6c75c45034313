//! `cargo xtask report FILE`: what a machine's unit has answered, beside what our model answers.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::place;
use crate::toolchain::host_cargo;

/// Runs the reader.
///
/// # Errors
/// There is no cargo.
pub(crate) fn run(file: &Path) -> Result<ExitCode> {
    let is_good = command(file).status().context("cannot run cargo")?.success();
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the command that runs it. It is built when it is asked for, like the example that answers questions about events.
pub(crate) fn command(file: &Path) -> Command {
    let mut cargo = host_cargo();
    cargo.args(["run", "--quiet", "--package", "check", "--example", "report", "--manifest-path"]);
    cargo.arg(place::root().join("Cargo.toml")).arg("--").arg(file);
    cargo
}
