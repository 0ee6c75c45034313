//! `cargo xtask lint`: checks the format of all sources, and that clippy and rustdoc have no warnings.
//!
//! Clippy needs a `core` for the target. A toolchain with `rust-src` has one for every kernel. Without it x86's programs
//! are checked as programs of the host, and another kernel is checked if its target was added to the toolchain. What is
//! not checked is printed. Debian's compiler, which builds the kernels elsewhere, has no clippy.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::ValueEnum;

use crate::kernel::Kernel;
use crate::progress::Step;
use crate::suite::examples;
use crate::tally::Tally;
use crate::toolchain::{Toolchain, host_cargo};
use crate::{place, process, toolchain};

/// Format in all workspaces; clippy and rustdoc in those of the host.
///
/// # Errors
/// Cargo cannot be started.
pub(crate) fn run() -> Result<ExitCode> {
    let host = [
        place::root().to_owned(),
        place::harness(),
        place::root().join("xtask"),
        place::libpfm(),
        place::guest(),
        examples::on_host(),
    ];
    let kernels = Kernel::value_variants();
    let hypervisors = [(Kernel::Aarch64, "aarch64"), (Kernel::Riscv64, "riscv")]
        .map(|(kernel, name)| (kernel, place::hypervisor(name)));
    let bootable = || {
        kernels.iter().map(|&kernel| (kernel, kernel.folder())).chain(examples::folders()).chain(hypervisors.clone())
    };
    let bare = kernels.iter().map(|kernel| kernel.folder()).chain(examples::all()).chain([
        place::no_panic(),
        place::text(),
        place::fuzz(),
        place::hypervisor("x86"),
        place::hypervisor("aarch64"),
        place::hypervisor("riscv"),
    ]);
    let formats = host.iter().cloned().chain(bare).map(|folder| cargo(&folder, &["fmt", "--check"]));
    let clippy = ["clippy", "--all-targets", "--", "--deny", "warnings"];
    let clippies = host.iter().map(|folder| cargo(folder, &clippy));
    let programs = [place::no_panic(), place::text(), place::hypervisor("x86")].map(|folder| clippy_as_hosts(&folder));
    let documentation = cargo(place::root(), &["doc", "--no-deps"]);
    let sum: Tally = formats
        .chain(kernels.iter().map(|&kernel| listed_tests(kernel)))
        .chain(clippies)
        .chain(bootable().filter_map(|(kernel, folder)| clippy_of(kernel, &folder)))
        .chain(programs)
        .chain([documentation])
        .chain(documentation_of_other_architectures())
        .chain(documentation_for_docs_rs())
        .collect::<Result<_>>()?;
    println!("{sum}");
    Ok(if sum.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The targets for which links are checked beside the host: one for each other architecture.
const DOCUMENTED: [&str; 5] = [
    "linker/i686-pmu-none.json",
    "aarch64-unknown-none-softfloat",
    "powerpc64-unknown-linux-musl",
    "linker/mips64-pmu-none.json",
    "riscv64imac-unknown-none-elf",
];

/// All in one go, which uses all processors of this machine. `None` if there is no source of `core` from which rustdoc
/// could have one.
fn documentation_of_other_architectures() -> Option<Result<Tally>> {
    let Some(toolchain) = Toolchain::find() else {
        println!(
            "no documentation of other architectures: it takes a `core`; rustup component add rust-src brings one"
        );
        return None;
    };
    let mut cargo = toolchain.cargo();
    cargo.current_dir(place::root()).env("RUSTDOCFLAGS", "--deny warnings");
    cargo.args(["doc", "--no-deps", "--keep-going", "-Zbuild-std=core", "--features", "nightly"]);
    cargo.args(DOCUMENTED.iter().flat_map(|target| ["--target", target]));
    cargo.arg("--target-dir").arg(place::cross_target());
    Some(check(format!("cargo doc for {}", DOCUMENTED.join(", ")), &mut cargo))
}

/// The compiler from which on a documented item can say where it is available (`doc(auto_cfg)`).
const AUTO_CFG: (u32, u32) = (1, 92);

/// The documentation as docs.rs builds it, with the instructions of every architecture. `None` if the compiler is too old.
fn documentation_for_docs_rs() -> Option<Result<Tally>> {
    let found = process::answer("rustc", &["--version"]).and_then(|text| toolchain::version(&text));
    if found.is_none_or(|version| version < AUTO_CFG) {
        println!("no documentation as on docs.rs: it takes Rust {}.{}", AUTO_CFG.0, AUTO_CFG.1);
        return None;
    }
    let mut cargo = host_cargo();
    cargo.current_dir(place::root()).env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", "--cfg docsrs --deny warnings");
    cargo.args(["doc", "--no-deps", "--target-dir"]).arg(place::cross_target());
    Some(check("cargo doc as on docs.rs".to_owned(), &mut cargo))
}

/// Checks the format of a kernel's tests, which cargo fmt does not find because a macro declares them.
fn listed_tests(kernel: Kernel) -> Result<Tally> {
    let folder = kernel.folder().join("src/tests");
    let mut files: Vec<_> =
        fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024"]).args(files).current_dir(folder);
    check(format!("rustfmt of the kernel {kernel}'s tests"), &mut rustfmt)
}

/// `None` if there is no `core` for it that clippy could read.
fn clippy_of(kernel: Kernel, folder: &Path) -> Option<Result<Tally>> {
    if Toolchain::find() == Some(Toolchain::Active) {
        let target = kernel.target().map(|target| ["--target", target]);
        return Some(clippy(folder, Toolchain::Active.cargo(), target.as_slice().as_flattened()));
    }
    match kernel {
        Kernel::X86 => Some(clippy_as_hosts(folder)),
        Kernel::Aarch64 if has_core(AARCH64) => Some(clippy(folder, host_cargo(), &[])),
        _ => {
            println!("no clippy in {}: it takes a `core`; rustup component add rust-src brings one", name(folder));
            None
        }
    }
}

/// The target of the kernel's own configuration.
const AARCH64: &str = "aarch64-unknown-none-softfloat";

/// Returns true if rustup has added this target to the toolchain.
fn has_core(target: &str) -> bool {
    let folder = process::answer("rustc", &["--print", "target-libdir", "--target", target]);
    folder.is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

/// Runs clippy on a program for bare x86-64 as if it were the host's. Nothing is linked.
fn clippy_as_hosts(folder: &Path) -> Result<Tally> {
    let mut cargo = host_cargo();
    cargo.env("CARGO_PROFILE_DEV_PANIC", "abort");
    clippy(folder, cargo, &["--target", "x86_64-unknown-linux-gnu"])
}

fn clippy(folder: &Path, mut cargo: Command, arguments: &[&str]) -> Result<Tally> {
    cargo.current_dir(folder).arg("clippy").args(arguments).arg("--target-dir").arg(place::cross_target());
    check(format!("cargo clippy in {}", name(folder)), cargo.args(["--", "--deny", "warnings"]))
}

fn cargo(folder: &Path, arguments: &[&str]) -> Result<Tally> {
    let mut cargo = host_cargo();
    cargo.current_dir(folder).env("RUSTDOCFLAGS", "--deny warnings").args(arguments);
    check(format!("cargo {} in {}", arguments[0], name(folder)), &mut cargo)
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
