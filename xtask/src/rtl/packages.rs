//! Downloads the cores' packages: pip takes them from where it is configured to, and compares their contents with the sums in
//! `rtl/requirements.txt`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::program::PIP;
use crate::progress::Step;
use crate::{place, process};

/// The list of the packages, each with its version and its sum.
pub(super) const LIST: &str = "requirements.txt";

/// Where they are unpacked: the folder of each has its name.
pub(super) fn folder() -> PathBuf {
    place::rtl_target().join("packages")
}

/// Downloads and unpacks what the list names, unless that was done for this very list.
///
/// # Errors
/// pip fails, as it does for other contents than those of the list; the error has its output.
pub(super) fn have() -> Result<()> {
    let list = place::rtl().join(LIST);
    let wanted = fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?;
    let done = folder().join(LIST);
    if fs::read_to_string(&done).is_ok_and(|done| done == wanted) {
        return Ok(());
    }
    [folder(), wheels()].iter().try_for_each(|folder| clear(folder))?;
    let step = Step::begin("set-up: the descriptions of the cores, by pip (some 35 MB)");
    let downloaded = download(&list).and_then(|wheels| wheels.iter().try_for_each(|wheel| unpack(wheel)));
    step.end(if downloaded.is_ok() { "unpacked" } else { "failed" });
    downloaded?;
    fs::write(&done, wanted).with_context(|| format!("cannot write {}", done.display()))
}

/// Where they are downloaded to.
fn wheels() -> PathBuf {
    place::rtl_target().join("wheels")
}

/// Removes what an older list named.
fn clear(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Returns the files.
fn download(list: &Path) -> Result<Vec<PathBuf>> {
    let wheels = wheels();
    let mut pip = Command::new(PIP.command);
    pip.args(["download", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--requirement"])
        .arg(list);
    must(pip.arg("--dest").arg(&wheels))?;
    let files = fs::read_dir(&wheels).with_context(|| format!("cannot read {}", wheels.display()))?;
    files.map(|file| Ok(file?.path())).collect()
}

/// A wheel is an archive in the format zip.
fn unpack(wheel: &Path) -> Result<()> {
    must(Command::new("python3").args(["-m", "zipfile", "--extract"]).arg(wheel).arg(folder()))
}

fn must(command: &mut Command) -> Result<()> {
    let outcome = process::run(command)?;
    ensure!(outcome.succeeded, "{} failed:\n{outcome}", command.get_program().display());
    Ok(())
}
