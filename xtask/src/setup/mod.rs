//! Installs what a command needs.
//!
//! rustup brings the source of `core` wherever it can. On Debian 12 as root missing packages are printed and installed.
//! Elsewhere each missing thing is printed with the way to get it. What is installed already is not changed, so a second
//! run does not call apt.

mod apt;
mod debian;
mod rustup;
mod sources;

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};

use crate::process;
use crate::program::{Archive, CPP_COMPILER, LIBPFM, LINUX_SOURCE, Library, PAPI, PERF, PROFGEN, Program};
use crate::toolchain::{Toolchain, version};
pub(crate) use apt::Suite;
pub(crate) use debian::{Foreign, kernel as kernel_of_debian, kernel_of_another};

/// The first QEMU whose emulation of SVM was verified to run the test kernel exactly.
const OLDEST_EMULATOR: (u32, u32) = (9, 0);

/// Something that a command needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// A compiler with the source of `core`.
    Compiler,
    /// The compiler's own `core` for the target with this name.
    Target(&'static str),
    /// A C++ compiler for the host.
    CppCompiler,
    /// GNU ld, or LLVM's, for the machine of the kernel with this name.
    Linker(Program, &'static str),
    /// QEMU for the machine of the kernel with this name.
    Emulator(Program, &'static str),
    /// Linux' perf, which reads the streams that the crate writes.
    Perf,
    /// LLVM's llvm-profgen, which makes profiles of branches for the compiler.
    Profgen,
    /// libpfm4, which encodes the events that both know.
    Libpfm,
    /// PAPI, which says which events its presets are.
    Papi,
    /// The source of Linux, which has perf's lists of events.
    LinuxSource,
    /// A file with which a program is booted by UEFI firmware.
    Uefi(Archive),
    /// A C compiler for programs of another machine.
    CCompiler(Program),
    /// The C library to link a program with that has no other files.
    StaticLibrary(Library),
    /// A program that brings real cores, or compiles them.
    Simulation(Program),
}

impl Need {
    fn is_met(self) -> bool {
        match self {
            Self::Compiler => Toolchain::find().is_some(),
            Self::Target(target) => Toolchain::Active.has_core(target),
            Self::CppCompiler => version_line(CPP_COMPILER).is_some(),
            Self::Linker(linker, _) => {
                let name = if linker.package.starts_with("lld") { "LLD" } else { "GNU ld" };
                version_line(linker).is_some_and(|text| text.contains(name))
            }
            Self::Emulator(emulator, _) => {
                version_line(emulator).and_then(|text| version(&text)).is_some_and(|found| found >= OLDEST_EMULATOR)
            }
            Self::Perf => version_line(PERF).is_some_and(|text| text.starts_with("perf version")),
            Self::Profgen => version_line(PROFGEN).is_some(),
            Self::Libpfm => LIBPFM.is_linked(),
            Self::Papi => PAPI.is_linked(),
            Self::LinuxSource => Path::new(LINUX_SOURCE.file).is_file(),
            Self::Uefi(archive) => Path::new(archive.file).is_file(),
            Self::CCompiler(program) | Self::Simulation(program) => version_line(program).is_some(),
            Self::StaticLibrary(library) => library.is_linked(),
        }
    }

    fn reason(self) -> String {
        match self {
            Self::Compiler => "a Rust compiler with the source of core: builds core for bare machines".to_owned(),
            Self::Target(target) => format!("the compiler's core for {target}: is linked with a program"),
            Self::CppCompiler => "a C++ compiler: builds libFuzzer, and what simulates cores".to_owned(),
            Self::Linker(_, kernel) => format!("a linker: links the test kernel {kernel}"),
            Self::Emulator(_, kernel) => format!("QEMU 9 or newer: boots the test kernel {kernel}"),
            Self::Perf => "Linux' perf: reads the samples that a test kernel writes".to_owned(),
            Self::Profgen => "LLVM's llvm-profgen: makes a profile of a kernel's branches".to_owned(),
            Self::Libpfm => "libpfm4: encodes the events that both know".to_owned(),
            Self::Papi => "PAPI: says which events its presets are".to_owned(),
            Self::LinuxSource => "the source of Linux: has perf's lists of events".to_owned(),
            Self::Uefi(_) => "UEFI firmware, or the disk it boots from: boots an example".to_owned(),
            Self::CCompiler(_) => "a C compiler for another machine: links the first process of a guest".to_owned(),
            Self::StaticLibrary(_) => "the C library: is linked with the first process of a guest".to_owned(),
            Self::Simulation(program) => {
                format!("{}: brings or compiles the descriptions of real cores", program.command)
            }
        }
    }

    fn advice(self) -> String {
        let have = |Program { command, package }| {
            format!("install your system's package `{package}` (Debian's name); `{command}` must be in the path")
        };
        let have_library = |Library { file, package, .. }| {
            format!("install your system's package `{package}` (Debian's name); the linker must find `{file}`")
        };
        let has = |Archive { file, package }| format!("Debian's package `{package}` has {file}");
        match self {
            Self::Compiler => "rustup component add rust-src (to the active toolchain)".to_owned(),
            Self::Target(target) => format!("rustup target add {target} (to the active toolchain)"),
            Self::CppCompiler => have(CPP_COMPILER),
            Self::Linker(program, _) | Self::Emulator(program, _) => have(program),
            Self::CCompiler(program) | Self::Simulation(program) => have(program),
            Self::Perf => have(PERF),
            Self::Profgen => have(PROFGEN),
            Self::Libpfm => have_library(LIBPFM),
            Self::Papi => have_library(PAPI),
            Self::LinuxSource => has(LINUX_SOURCE),
            Self::Uefi(archive) => has(archive),
            Self::StaticLibrary(library) => have_library(library),
        }
    }

    fn packages(self) -> Vec<&'static str> {
        match self {
            Self::Compiler => vec!["rustc-web", "cargo-web", "rust-web-src"],
            Self::Target(_) => vec![],
            Self::CppCompiler => vec![CPP_COMPILER.package],
            Self::Linker(program, _) | Self::Emulator(program, _) => vec![program.package],
            Self::CCompiler(program) | Self::Simulation(program) => vec![program.package],
            Self::Perf => vec![PERF.package],
            Self::Profgen => vec![PROFGEN.package],
            Self::Libpfm => vec![LIBPFM.package],
            Self::Papi => vec![PAPI.package],
            Self::LinuxSource => vec![LINUX_SOURCE.package],
            Self::Uefi(archive) => vec![archive.package],
            Self::StaticLibrary(library) => vec![library.package],
        }
    }

    /// Debian 12's own QEMU is 7.2; the newer one is in its backports.
    fn suite(self) -> apt::Suite {
        match self {
            Self::Emulator(..) => apt::Suite::Backports,
            Self::Compiler
            | Self::Target(_)
            | Self::CppCompiler
            | Self::Linker(..)
            | Self::Perf
            | Self::Profgen
            | Self::Libpfm
            | Self::Papi
            | Self::LinuxSource
            | Self::Uefi(_)
            | Self::CCompiler(_)
            | Self::StaticLibrary(_)
            | Self::Simulation(_) => apt::Suite::Main,
        }
    }
}

/// Two parts of the tests may have needs at the same time, and apt runs once.
static ALONE: Mutex<()> = Mutex::new(());

/// Check these needs, and install what is missing where that is possible.
///
/// # Errors
/// Something is missing and this is no Debian 12, or we are not root, or apt fails; the error names each missing thing
/// and the way to get it.
pub(crate) fn prepare(needs: &[Need]) -> Result<()> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    complete_toolchain(needs, Toolchain::find(), rustup::add_source);
    missing_of(needs).into_iter().for_each(rustup::add_target_of);
    // Debian's compiler takes no further targets: what needs one is left out of the tests.
    let takes_targets = Toolchain::find() != Some(Toolchain::System);
    let needs: Vec<_> =
        needs.iter().copied().filter(|need| takes_targets || !matches!(need, Need::Target(_))).collect();
    let missing = missing_of(&needs);
    if missing.is_empty() {
        return Ok(());
    }
    if !(is_debian_12() && is_root()) {
        bail!("{}", report(&missing));
    }
    for need in &missing {
        eprintln!("set-up: {} [{}]", need.reason(), need.packages().join(", "));
    }
    let still_missing = install_until_met(missing, missing_of, install, || apt::update(&[]))?;
    if still_missing.is_empty() { Ok(()) } else { bail!("after the installation, {}", report(&still_missing)) }
}

fn version_line(program: Program) -> Option<String> {
    process::answer(program.command, &["--version"])
}

/// Returns the needs that are not met, each once.
fn missing_of(needs: &[Need]) -> Vec<Need> {
    let mut missing = Vec::new();
    for &need in needs {
        if !missing.contains(&need) && !need.is_met() {
            missing.push(need);
        }
    }
    missing
}

/// Completes rustup's toolchain where it has no source of `core`: that takes seconds, and Debian's compiler, `found` or not,
/// needs nearly twice the time for a kernel.
fn complete_toolchain(needs: &[Need], found: Option<Toolchain>, add_source: impl FnOnce()) {
    if needs.contains(&Need::Compiler) && found != Some(Toolchain::Active) {
        add_source();
    }
}

/// Install what is missing; package lists that are months old name versions as old, which may not do, so what is still
/// missing then is installed once more by new lists.
fn install_until_met(
    missing: Vec<Need>,
    missing_of: impl Fn(&[Need]) -> Vec<Need>,
    mut install: impl FnMut(&[Need]) -> Result<()>,
    renew_lists: impl FnOnce() -> Result<()>,
) -> Result<Vec<Need>> {
    install(&missing)?;
    let outdated = missing_of(&missing);
    if outdated.is_empty() {
        return Ok(outdated);
    }
    renew_lists()?;
    install(&outdated)?;
    Ok(missing_of(&outdated))
}

fn install(missing: &[Need]) -> Result<()> {
    for suite in [apt::Suite::Main, apt::Suite::Backports] {
        let packages = packages_of(missing, suite);
        if !packages.is_empty() {
            apt::install(suite, &packages)?;
        }
    }
    Ok(())
}

/// Returns the packages of that suite, each once: several needs may be in one.
fn packages_of(missing: &[Need], suite: apt::Suite) -> Vec<&'static str> {
    let mut packages: Vec<_> =
        missing.iter().filter(|need| need.suite() == suite).flat_map(|need| need.packages()).collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

fn report(missing: &[Need]) -> String {
    let lines = missing.iter().map(|need| format!("\n  {}\n      {}", need.reason(), need.advice()));
    format!("this is missing (as root on Debian 12 it would be installed by itself):{}", lines.collect::<String>())
}

fn is_debian_12() -> bool {
    let description = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let has = |line: &str| description.lines().any(|other| other == line);
    has("ID=debian") && has(r#"VERSION_ID="12""#)
}

/// Returns true if the owner of this process's directory in `/proc` is root.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(Path::new("/proc/self")).is_ok_and(|process| process.uid() == 0)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_report_names_each_missing_thing_and_how_to_get_it() {
        let emulator = Program { command: "qemu-system-x86_64", package: "qemu-system-x86" };
        let report = report(&[Need::Compiler, Need::Emulator(emulator, "x86")]);
        assert!(report.contains("source of core") && report.contains("rustup component add rust-src"));
        assert!(report.contains("QEMU") && report.contains("qemu-system-x86"));
        assert!(!report.contains("binutils"));
    }

    #[test]
    fn rustup_is_asked_for_the_source_unless_its_toolchain_has_it() {
        let is_asked = |needs: &[Need], found| {
            let asked = Cell::new(false);
            complete_toolchain(needs, found, || asked.set(true));
            asked.get()
        };
        let found = [None, Some(Toolchain::System), Some(Toolchain::Active)];
        assert_eq!(found.map(|found| is_asked(&[Need::Compiler], found)), [true, true, false]);
        assert_eq!(found.map(|found| is_asked(&[Need::Perf], found)), [false; 3]);
    }

    #[test]
    fn a_package_with_two_emulators_is_installed_once() {
        let [ppc64, ppc] = ["qemu-system-ppc64", "qemu-system-ppc"]
            .map(|command| Need::Emulator(Program { command, package: "qemu-system-ppc" }, "x"));
        assert_eq!(packages_of(&[ppc64, Need::Perf, ppc], Suite::Backports), ["qemu-system-ppc"]);
    }

    #[test]
    fn what_old_lists_install_too_old_is_installed_again_by_new_lists() {
        let (lists_are_new, newest) = (Cell::new(false), Cell::new(false));
        let missing_of = |needs: &[Need]| if newest.get() { Vec::new() } else { needs.to_vec() };
        let install = |_: &[Need]| {
            newest.set(lists_are_new.get());
            Ok(())
        };
        let renew_lists = || {
            lists_are_new.set(true);
            Ok(())
        };
        let missing = install_until_met(vec![Need::Compiler], missing_of, install, renew_lists).unwrap();
        assert_eq!(missing, []);
    }

    #[test]
    fn what_new_lists_cannot_install_either_stays_missing() {
        let install = |_: &[Need]| Ok(());
        let missing = install_until_met(vec![Need::Compiler], <[Need]>::to_vec, install, || Ok(())).unwrap();
        assert_eq!(missing, [Need::Compiler]);
    }
}
