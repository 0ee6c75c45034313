//! `cargo xtask names`: how many names of each outside list are known, and mean the same, compared with `docs/names.md`.
//!
//! The lists of Debian's packages are always compared: libpfm4's, PAPI's, and perf's in the source of Linux. Others are read
//! from the user's own copy. `oracles` compares them.

use std::fs;
use std::path::{self, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::program::LINUX_SOURCE;
use crate::progress::Step;
use crate::setup::{self, Need};
use crate::tally::Tally;
use crate::toolchain::host_cargo;
use crate::{place, process};

/// Where perf has the lists of all processors.
const TABLES: &str = "tools/perf/pmu-events/arch";

/// Prints the table, and how it differs from the file, or writes the file.
///
/// # Errors
/// A list cannot be had. A difference, or a name without a reason, is an exit code.
pub(crate) fn run(writes: bool, lists: &[String]) -> Result<ExitCode> {
    let mut cargo = comparison()?;
    for list in lists {
        let (name, folder) = list.split_once('=').with_context(|| format!("{list} is not LIST=FOLDER"))?;
        cargo.arg(format!("{name}={}", path::absolute(folder)?.display()));
    }
    cargo.args(writes.then_some("--write"));
    let is_good = cargo.status().context("cannot run cargo")?.success();
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares the lists of the packages with the file.
///
/// # Errors
/// A list cannot be had.
pub(crate) fn check() -> Result<Tally> {
    let step = Step::begin("the names of other lists");
    let outcome = process::run(&mut comparison()?)?;
    step.end(if outcome.succeeded { "as docs/names.md has them" } else { "differ" });
    if outcome.succeeded {
        return Ok(Tally::pass());
    }
    println!("{outcome}");
    Ok(Tally::failure("names of other lists: cargo xtask names".to_owned()))
}

/// Returns the call of the program that compares, with the list that it is given as a folder.
fn comparison() -> Result<Command> {
    setup::prepare(&[Need::Libpfm, Need::Papi, Need::LinuxSource])?;
    let mut cargo = host_cargo();
    cargo.current_dir(place::oracles()).args(["run", "--quiet", "--"]);
    cargo.arg(format!("perf={}", perf_tables()?.display()));
    Ok(cargo)
}

/// Unpacks perf's lists, once for each version of the source.
fn perf_tables() -> Result<PathBuf> {
    let size = fs::metadata(LINUX_SOURCE.file).with_context(|| format!("cannot read {}", LINUX_SOURCE.file))?.len();
    let folder = place::target().join(format!("{}-{size}", LINUX_SOURCE.package));
    if !folder.is_dir() {
        let step = Step::begin(format!("set-up: unpacking perf's lists from {} (25 MB)", LINUX_SOURCE.file));
        let scratch = tempfile::tempdir_in(place::target())?;
        let mut tar = Command::new("tar");
        tar.current_dir(scratch.path()).args(["--strip-components=1", "--wildcards", "-xJf", LINUX_SOURCE.file]);
        let unpacked = process::run(tar.arg(format!("*/{TABLES}/*")))?;
        step.end(if unpacked.succeeded { "unpacked" } else { "failed" });
        ensure!(unpacked.succeeded, "tar fails:\n{unpacked}");
        fs::rename(scratch.keep(), &folder)?;
    }
    Ok(folder.join(TABLES))
}
