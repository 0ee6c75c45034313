//! Is every source formatted, has clippy nothing to say, and does every link of the documentation lead somewhere?
//!
//! The workspaces for bare machines need the cross compiler; the compiler that ships with it has no clippy, so for them
//! the check is rustfmt's alone.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::ValueEnum;

use crate::kernel::Kernel;
use crate::progress::Step;
use crate::suite::Tally;
use crate::toolchain::host_cargo;
use crate::{place, process};

/// Format in all workspaces; clippy and rustdoc in those of the host.
///
/// # Errors
/// Cargo cannot be started.
pub(crate) fn run() -> Result<ExitCode> {
    let host = [place::root().to_owned(), place::harness(), place::root().join("xtask")];
    let kernels = Kernel::value_variants();
    let bare = kernels.iter().map(|kernel| kernel.folder()).chain([place::no_panic(), place::text(), place::fuzz()]);
    let formats = host.iter().cloned().chain(bare).map(|folder| cargo(&folder, &["fmt", "--check"]));
    let clippy = ["clippy", "--all-targets", "--", "--deny", "warnings"];
    let clippies = host.iter().map(|folder| cargo(folder, &clippy));
    let documentation = cargo(place::root(), &["doc", "--no-deps"]);
    let sum: Tally = formats
        .chain(kernels.iter().map(|&kernel| listed_tests(kernel)))
        .chain(clippies)
        .chain([documentation])
        .collect::<Result<_>>()?;
    println!("{sum}");
    Ok(if sum.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A kernel's tests are declared by a macro, behind which cargo fmt does not look.
fn listed_tests(kernel: Kernel) -> Result<Tally> {
    let folder = kernel.folder().join("src/tests");
    let mut files: Vec<_> =
        fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024"]).args(files).current_dir(folder);
    check(format!("rustfmt of the kernel {kernel}'s tests"), &mut rustfmt)
}

fn cargo(folder: &Path, arguments: &[&str]) -> Result<Tally> {
    let name = folder.strip_prefix(place::root()).map(|path| path.display().to_string()).unwrap_or_default();
    let mut cargo = host_cargo();
    cargo.current_dir(folder).env("RUSTDOCFLAGS", "--deny warnings").args(arguments);
    check(format!("cargo {} in ./{name}", arguments[0]), &mut cargo)
}

fn check(title: String, command: &mut Command) -> Result<Tally> {
    let step = Step::begin(title.clone());
    let outcome = process::run(command)?;
    step.end(if outcome.succeeded { "clean" } else { "not clean" });
    if outcome.succeeded {
        return Ok(Tally::pass());
    }
    println!("{}{}", outcome.output, outcome.complaint());
    Ok(Tally::failure(title))
}
