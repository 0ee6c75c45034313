//! `cargo xtask lint`: checks the format of all sources, that clippy and rustdoc have no warnings, and that the public paths
//! are those of the list.
//!
//! Programs for bare machines are checked where they are built, so that clippy has the `core` and the library of their
//! tests and only reads the program itself. Steps that wait for the same folder are one job, and as many jobs run at the
//! same time as this machine has processors.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use crate::at_once::at_once;
use crate::kernel::Kernel;
use crate::progress::Step;
use crate::setup::{self, Need};
use crate::suite::{self, examples};
use crate::tally::Tally;
use crate::toolchain::{Toolchain, host_cargo};
use crate::yardstick::Yardstick;
use crate::{api, place, process, toolchain};

/// Steps that are done one after the other.
type Job = Box<dyn FnOnce() -> Result<Tally> + Send>;

/// Format, clippy and rustdoc in all workspaces, and on request the documentation for every architecture.
///
/// # Errors
/// Set-up fails, the toolchain cannot check programs for bare machines, or cargo cannot be started.
pub(crate) fn run(all: bool) -> Result<ExitCode> {
    setup::prepare(&[[Need::Compiler].as_slice(), &examples::UEFI_CORE].concat())?;
    let is_active = Toolchain::find() == Some(Toolchain::Active);
    ensure!(is_active, "clippy of the kernels takes a `core`; rustup component add rust-src brings one");
    let yardstick = Yardstick::begin();
    // The longest first, so that all processors are busy until the end.
    let jobs: [Job; 2] = [Box::new(move || of_other_architectures(all)), Box::new(of_host)];
    let kernels = Kernel::value_variants().iter().map(|&kernel| Box::new(move || of_kernel(kernel)) as Job);
    let formats: Job = Box::new(formats);
    let sum = at_once(jobs.into_iter().chain(kernels).chain([formats])).into_iter().collect::<Result<_>>()?;
    println!("{}", yardstick.end());
    Ok(suite::conclude(&sum))
}

/// Clippy and documentation of what runs on the host.
fn of_host() -> Result<Tally> {
    let clippy = |folder: &Path, packages: &[&str]| {
        let mut cargo = host_cargo();
        cargo.current_dir(folder).arg("clippy").args(packages).args(["--all-targets", "--", "--deny", "warnings"]);
        check(format!("cargo clippy in {}", name(folder)), &mut cargo)
    };
    let mut documentation = host_cargo();
    documentation.current_dir(place::root()).env("RUSTDOCFLAGS", "--deny warnings").args(["doc", "--no-deps"]);
    let clippies =
        [clippy(place::root(), &["--workspace"]), clippy(&place::guest(), &[]), clippy(&examples::on_host(), &[])];
    let documentation = check("cargo doc".to_owned(), &mut documentation);
    clippies.into_iter().chain([documentation]).chain(documentation_for_docs_rs()).collect()
}

/// Clippy of a kernel, and of the examples that are built like it; beside x86's of the libraries that are linked to be looked
/// at.
fn of_kernel(kernel: Kernel) -> Result<Tally> {
    let configuration = kernel.configuration().display().to_string();
    let own = kernel.target().map(|target| ["--target", target]);
    let own = own.as_slice().as_flattened();
    let programs = programs(kernel).flat_map(|(folder, built, targets)| {
        // Cargo passes arguments to clippy for one target at a time.
        let targets = targets.iter().map(|target| vec!["--target", *target]);
        let builds = if targets.len() > 0 { targets.collect() } else { vec![own.to_vec()] };
        builds.into_iter().map(move |build| clippy_beside_build(&folder, &built, &build))
    });
    let libraries = [place::no_panic(), place::text()].into_iter().filter(|_| kernel == Kernel::X86);
    let with = ["--config", &configuration];
    let libraries = libraries.map(|folder| clippy_beside_build(&folder, &kernel.target_folder(), &with));
    programs.chain(libraries).collect()
}

/// The programs that are built like this kernel, where, and for which targets if they are not the kernel's own.
fn programs(kernel: Kernel) -> impl Iterator<Item = (PathBuf, PathBuf, &'static [&'static str])> {
    let hypervisors = [(Kernel::X86, "x86"), (Kernel::Aarch64, "aarch64"), (Kernel::Riscv64, "riscv")]
        .map(|(kernel, name)| (kernel, place::hypervisor(name)));
    let others = hypervisors.into_iter().chain([(Kernel::Riscv32, place::rtl_kernel())]);
    let others = others.map(|(kernel, folder)| (kernel, folder, kernel.target_folder(), [].as_slice()));
    let little = ["powerpc64le-unknown-linux-musl"].as_slice();
    let microwatt = (Kernel::PowerPc64, place::microwatt_kernel(), place::microwatt_target(), little);
    let beside = examples::folders().chain(others).chain([microwatt]).filter(move |&(like, ..)| like == kernel);
    let beside = beside.map(|(_, folder, built, targets)| (folder, built, targets));
    [(kernel.folder(), kernel.target_folder(), [].as_slice())].into_iter().chain(beside)
}

/// Clippy of a bare program as its release is built, up to the code, which is not generated. It is the only package that
/// clippy reads; the others are compiled as for the program, unless they are there already.
fn clippy_beside_build(folder: &Path, target_folder: &Path, build: &[&str]) -> Result<Tally> {
    let mut cargo = Toolchain::Active.cargo();
    cargo.current_dir(folder).env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    cargo.args(["rustc", "--release"]).args(build).arg("--target-dir").arg(target_folder);
    let target = build.iter().skip_while(|word| **word != "--target").copied();
    let title = ["clippy in", &name(folder)].into_iter().chain(target).collect::<Vec<_>>().join(" ");
    check(title, cargo.args(["--", "-Zno-codegen", "--deny=warnings"]))
}

/// A target of another architecture than most hosts', whose `core` need not be built. What has links in the documentation for one
/// architecture alone is found there and on the host.
const ANOTHER: &str = "aarch64-unknown-uefi";

/// Documentation for another architecture, or for one target of each, all in one go, which uses all processors of this machine.
fn of_other_architectures(all: bool) -> Result<Tally> {
    let mut cargo = Toolchain::Active.cargo();
    cargo.current_dir(place::root()).env("RUSTDOCFLAGS", "--deny warnings");
    cargo.args(["doc", "--no-deps", "--keep-going", "--features", "nightly"]).args(all.then_some("-Zbuild-std=core"));
    let documented = || Kernel::value_variants().iter().filter_map(|kernel| kernel.documented()).collect();
    let targets: Vec<_> = if all { documented() } else { vec![ANOTHER] };
    cargo.args(targets.iter().flat_map(|target| ["--target", target]));
    cargo.arg("--target-dir").arg(place::cross_target());
    check(format!("cargo doc for {}", targets.join(", ")), &mut cargo)
}

/// The compiler from which on a documented item can say where it is available (`doc(auto_cfg)`).
const AUTO_CFG: (u32, u32) = (1, 92);

/// The documentation as docs.rs builds it, with the instructions of every architecture, and the public paths in it. Nothing
/// if the compiler is too old.
fn documentation_for_docs_rs() -> Vec<Result<Tally>> {
    let found = process::answer("rustc", &["--version"]).and_then(|text| toolchain::version(&text));
    if found.is_none_or(|version| version < AUTO_CFG) {
        println!("no documentation as on docs.rs, and no public paths: they take Rust {}.{}", AUTO_CFG.0, AUTO_CFG.1);
        return Vec::new();
    }
    let mut cargo = host_cargo();
    cargo.current_dir(place::root()).env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", "--cfg docsrs --deny warnings");
    cargo.args(["doc", "--no-deps", "--target-dir"]).arg(place::cross_target());
    vec![check("cargo doc as on docs.rs".to_owned(), &mut cargo), public_paths()]
}

fn public_paths() -> Result<Tally> {
    let step = Step::begin("public paths".to_owned());
    let tally = api::check()?;
    step.end(if tally.is_good() { "as listed" } else { "not as listed" });
    Ok(tally)
}

/// Checks the format of all sources.
fn formats() -> Result<Tally> {
    let members = [format(place::root(), &["--all"])];
    let others = workspaces().into_iter().map(|folder| format(&folder, &[]));
    members.into_iter().chain(others).chain(kernels().iter().map(|folder| listed_tests(folder))).collect()
}

/// The folders of the workspaces beside the repository's own.
fn workspaces() -> Vec<PathBuf> {
    let cores = [place::rtl_kernel(), place::microwatt_kernel()];
    let others = [place::guest(), place::no_panic(), place::text(), place::fuzz(), examples::on_host()];
    let hypervisors = ["x86", "aarch64", "riscv"].map(place::hypervisor);
    others.into_iter().chain(cores).chain(hypervisors).chain(examples::all()).chain(kernels()).collect()
}

/// The folders of the test kernels, each once.
fn kernels() -> BTreeSet<PathBuf> {
    Kernel::value_variants().iter().map(|kernel| kernel.folder()).collect()
}

fn format(folder: &Path, arguments: &[&str]) -> Result<Tally> {
    let mut cargo = host_cargo();
    cargo.current_dir(folder).args(["fmt", "--check"]).args(arguments);
    check(format!("cargo fmt in {}", name(folder)), &mut cargo)
}

/// Checks the format of a kernel's tests, which cargo fmt does not find because a macro declares them.
fn listed_tests(kernel: &Path) -> Result<Tally> {
    let folder = kernel.join("src/tests");
    let files = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<_> = files.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024"]).args(files).current_dir(&folder);
    check(format!("rustfmt in {}", name(&folder)), &mut rustfmt)
}

/// Returns a folder's path from the repository's root.
fn name(folder: &Path) -> String {
    format!("./{}", folder.strip_prefix(place::root()).unwrap_or(folder).display())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The folders with a workspace of their own below this one.
    fn found(folder: &Path) -> Vec<PathBuf> {
        let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let folders = folders.filter(|path| path.is_dir() && !path.ends_with("target") && !path.ends_with(".git"));
        folders.flat_map(|path| found(&path).into_iter().chain(is_workspace(&path).then_some(path))).collect()
    }

    fn is_workspace(folder: &Path) -> bool {
        fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| text.lines().any(|line| line == "[workspace]"))
    }

    #[test]
    fn every_workspace_is_checked() {
        let found: BTreeSet<_> = found(place::root()).into_iter().collect();
        assert_eq!(workspaces().into_iter().collect::<BTreeSet<_>>(), found);
    }

    #[test]
    fn every_program_for_a_bare_machine_is_read_by_clippy() {
        let read: BTreeSet<_> =
            Kernel::value_variants().iter().flat_map(|&kernel| programs(kernel).map(|(folder, ..)| folder)).collect();
        let hosts = [place::guest(), place::no_panic(), place::text(), place::fuzz(), examples::on_host()];
        let bare = workspaces().into_iter().filter(|folder| !hosts.contains(folder));
        assert_eq!(read, bare.collect());
    }
}
