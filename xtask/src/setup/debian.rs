//! Fetches a kernel of Debian's, without installing it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use super::apt::{self, Suite};
use crate::process;
use crate::progress::Step;

/// Returns the kernel that a package of the archive depends on, such as the newest `linux-image-cloud-amd64`. It is kept
/// in `folder`, and fetched if it is not there.
///
/// # Errors
/// This is no Debian, or its archive cannot be reached.
pub(crate) fn kernel(package: &str, suite: Suite, folder: &Path) -> Result<PathBuf> {
    if suite == Suite::Backports {
        apt::have_backports()?;
    }
    let image = match newest(package, suite) {
        Some(image) => image,
        None => apt::update().map(|()| newest(package, suite))?.with_context(|| advice(package))?,
    };
    let kept = folder.join(image.replace("linux-image-", "vmlinuz-"));
    if !kept.is_file() {
        let step = Step::begin(format!("set-up: apt-get download {image}"));
        let fetched = fetch(&image, &kept);
        step.end(if fetched.is_ok() { "fetched" } else { "failed" });
        fetched.with_context(|| advice(package))?;
    }
    Ok(kept)
}

/// The package of the kernel itself, which has the version in its name.
fn newest(package: &str, suite: Suite) -> Option<String> {
    // Without it apt takes Debian 12's, if the lists have it.
    let release = format!("APT::Default-Release={}", if suite == Suite::Backports { apt::BACKPORTS } else { "" });
    let answer = process::answer("apt-cache", &["--option", &release, "depends", package])?;
    dependency(&answer).map(str::to_owned)
}

fn dependency(answer: &str) -> Option<&str> {
    let mut names = answer.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    names.find(|name| name.starts_with("linux-image-"))
}

fn fetch(image: &str, to: &Path) -> Result<()> {
    let scratch = tempfile::tempdir_in(to.parent().unwrap_or(&env::temp_dir()))?;
    if !download(image, scratch.path())? {
        apt::update()?; // the lists name a version that the archive has replaced since
        ensure!(download(image, scratch.path())?, "apt-get download {image} fails");
    }
    let mut files = fs::read_dir(scratch.path())?.filter_map(|file| file.ok().map(|file| file.path()));
    let package = files.next().context("apt-get download has brought nothing")?;
    let contents = scratch.path().join("contents");
    let unpacked = process::run(Command::new("dpkg-deb").arg("--extract").arg(&package).arg(&contents))?;
    ensure!(unpacked.succeeded, "dpkg-deb fails:\n{unpacked}");
    let kernel = contents.join("boot").join(image.replace("linux-image-", "vmlinuz-"));
    fs::rename(&kernel, to).with_context(|| format!("the package has no {}", kernel.display()))
}

fn download(image: &str, folder: &Path) -> Result<bool> {
    Ok(process::run(Command::new("apt-get").args(["download", image]).current_dir(folder))?.succeeded)
}

fn advice(package: &str) -> String {
    format!("Debian's package {package} is needed as a guest, which `apt-get download` fetches on Debian")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_own_package_is_the_dependency_with_the_version() {
        let answer = "linux-image-cloud-amd64\n  Depends: linux-image-6.1.0-56-cloud-amd64\n  Suggests: x\n";
        assert_eq!(dependency(answer), Some("linux-image-6.1.0-56-cloud-amd64"));
        assert_eq!(dependency("linux-image-cloud-amd64\n  Depends: base\n"), None);
    }
}
