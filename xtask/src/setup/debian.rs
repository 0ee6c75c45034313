//! Fetches a kernel of Debian's, without installing it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use super::apt::{self, Suite};
use crate::process;
use crate::progress::Step;

/// A release of Debian for another processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign {
    /// The processor, by Debian's name.
    pub(crate) architecture: &'static str,
    pub(crate) release: &'static str,
}

/// Returns the kernel that a package of the archive depends on, such as the newest `linux-image-cloud-amd64`. It is kept
/// in `folder`, and fetched if it is not there.
///
/// # Errors
/// This is no Debian, or its archive cannot be reached.
pub(crate) fn kernel(package: &str, suite: Suite, folder: &Path) -> Result<PathBuf> {
    if suite == Suite::Backports {
        apt::have_backports()?;
    }
    have(package, &Lists::of_this_machine(suite), folder)
}

/// Returns that of another processor, by package lists of its own, which are kept in `folder` too: the machine's do not change.
///
/// # Errors
/// This is no Debian, or its archive cannot be reached.
pub(crate) fn kernel_of_another(package: &str, debian: Foreign, folder: &Path) -> Result<PathBuf> {
    have(package, &Lists::of(debian, folder)?, folder)
}

/// Package lists of apt's.
struct Lists {
    /// The options by which apt uses these lists instead of the machine's.
    options: Vec<String>,
    /// The suite that is preferred.
    suite: &'static str,
}

impl Lists {
    /// Without a preference apt takes Debian 12's packages, if the lists have them.
    const fn of_this_machine(suite: Suite) -> Self {
        let suite = if matches!(suite, Suite::Backports) { apt::BACKPORTS } else { "" };
        Self { options: Vec::new(), suite }
    }

    fn of(Foreign { architecture, release }: Foreign, folder: &Path) -> Result<Self> {
        let of_apt = folder.join(format!("apt-{release}-{architecture}"));
        let at = |name: &str| of_apt.join(name);
        for name in ["sources", "lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(at(name))?;
        }
        fs::write(at("sources/debian.sources"), apt::list_of(release)?)?;
        let options = [
            format!("APT::Architecture={architecture}"),
            format!("APT::Architectures={architecture}"),
            "Acquire::Languages=none".to_owned(),
            "Dir::Etc::SourceList=/dev/null".to_owned(),
            format!("Dir::Etc::SourceParts={}", at("sources").display()),
            format!("Dir::State::Lists={}", at("lists").display()),
            format!("Dir::Cache={}", at("cache").display()),
        ];
        Ok(Self { options: options.map(|option| format!("--option={option}")).into(), suite: "" })
    }

    /// The package of the kernel itself, which has the version in its name.
    fn newest(&self, package: &str) -> Option<String> {
        let release = format!("--option=APT::Default-Release={}", self.suite);
        let arguments: Vec<_> = self.options.iter().chain([&release]).map(String::as_str).collect();
        let answer = process::answer("apt-cache", &[&arguments, ["depends", package].as_slice()].concat())?;
        dependency(&answer).map(str::to_owned)
    }

    fn download(&self, image: &str, folder: &Path) -> Result<bool> {
        let mut command = Command::new("apt-get");
        command.args(&self.options).args(["download", image]).current_dir(folder);
        Ok(process::run(&mut command)?.succeeded)
    }
}

fn have(package: &str, lists: &Lists, folder: &Path) -> Result<PathBuf> {
    let image = match lists.newest(package) {
        Some(image) => image,
        None => apt::update(&lists.options).map(|()| lists.newest(package))?.with_context(|| advice(package))?,
    };
    let kept = folder.join(image.replace("linux-image-", "linux-"));
    if !kept.is_file() {
        let step = Step::begin(format!("set-up: apt-get download {image}"));
        let fetched = fetch(&image, lists, &kept);
        step.end(if fetched.is_ok() { "fetched" } else { "failed" });
        fetched.with_context(|| advice(package))?;
    }
    Ok(kept)
}

fn dependency(answer: &str) -> Option<&str> {
    let mut names = answer.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    names.find(|name| name.starts_with("linux-image-"))
}

fn fetch(image: &str, lists: &Lists, to: &Path) -> Result<()> {
    let scratch = tempfile::tempdir_in(to.parent().unwrap_or(&env::temp_dir()))?;
    if !lists.download(image, scratch.path())? {
        apt::update(&lists.options)?; // the lists name a version that the archive has replaced since
        ensure!(lists.download(image, scratch.path())?, "apt-get download {image} fails");
    }
    let mut files = fs::read_dir(scratch.path())?.filter_map(|file| file.ok().map(|file| file.path()));
    let package = files.next().context("apt-get download has brought nothing")?;
    let contents = scratch.path().join("contents");
    let unpacked = process::run(Command::new("dpkg-deb").arg("--extract").arg(&package).arg(&contents))?;
    ensure!(unpacked.succeeded, "dpkg-deb fails:\n{unpacked}");
    // It is packed or not, and its name says so.
    let kernel = ["vmlinuz-", "vmlinux-"].map(|name| contents.join("boot").join(image.replace("linux-image-", name)));
    let kernel = kernel.iter().find(|path| path.is_file()).with_context(|| format!("{image} has no kernel"))?;
    Ok(fs::rename(kernel, to)?)
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
