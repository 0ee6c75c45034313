//! The library as a stranger has it: packaged, unpacked where nothing else of the repository is, with an example beside it.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::toolchain::host_cargo;
use crate::{place, process};

/// Copies an example beside the library as `cargo package` packs it, which is what the example depends on there. Returns its
/// folder, which is another one for another package: cargo sees by that what it has to build anew.
///
/// # Errors
/// The library cannot be packaged, or files cannot be copied.
pub(super) fn beside_package(example: &Path) -> Result<PathBuf> {
    let folder = place::cross_target().join("stranger");
    let package = package(&folder)?;
    let mut hasher = DefaultHasher::new();
    fs::read(&package)?.hash(&mut hasher);
    let library = folder.join(format!("{:016x}", hasher.finish()));
    if !library.exists() {
        fs::create_dir_all(library.join("examples"))?;
        run(Command::new("tar").arg("-xzf").arg(package).arg("-C").arg(&library).arg("--strip-components=1"))?;
    }
    let copy = library.join("examples").join(example.file_name().context("an example has a name")?);
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    run(Command::new("cp").arg("-Rp").arg(example).arg(&copy))?;
    Ok(copy)
}

/// Packages the library, and returns the file.
fn package(folder: &Path) -> Result<PathBuf> {
    let mut cargo = host_cargo();
    cargo.current_dir(place::root()).args(["package", "--package", "pmu", "--no-verify", "--allow-dirty", "--quiet"]);
    run(cargo.arg("--target-dir").arg(folder))?;
    let files = fs::read_dir(folder.join("package"))?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut packages = files.filter(|path| path.extension().is_some_and(|extension| extension == "crate"));
    packages.next().context("cargo package leaves a file")
}

fn run(command: &mut Command) -> Result<()> {
    let outcome = process::run(command)?;
    ensure!(outcome.succeeded, "{command:?}: {}", outcome.complaint());
    Ok(())
}
