//! Finds a compiler that can build `core` for bare machines.
//!
//! `core` is built from source (`-Zbuild-std`), so any toolchain with the `rust-src` component will do, also a stable one
//! (`RUSTC_BOOTSTRAP` permits the one unstable flag; the library uses no unstable feature). The active rustup toolchain is
//! preferred to Debian's packages.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// The library's `rust-version`.
const OLDEST: (u32, u32) = (1, 88);
/// Debian's own programs, and none of rustup's.
const SYSTEM_PATH: &str = "/usr/bin:/bin";

/// A toolchain that has the source of `core`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Toolchain {
    /// The active one, which `cargo` is of.
    Active,
    /// Debian's packages.
    System,
}

impl Toolchain {
    /// Returns the first of them that works.
    pub(crate) fn find() -> Option<Self> {
        [Self::Active, Self::System].into_iter().find(|toolchain| can_build_core(toolchain.compiler()))
    }

    fn compiler(self) -> &'static str {
        match self {
            Self::Active => "rustc",
            Self::System => "/usr/bin/rustc",
        }
    }

    /// Returns the first two numbers of its compiler's version.
    pub(crate) fn version(self) -> Option<(u32, u32)> {
        process::answer(self.compiler(), &["--version"]).and_then(|text| version(&text))
    }

    /// Returns true if it has a `core` for the target, so that none need be built.
    pub(crate) fn has_core(self, target: &str) -> bool {
        let folder = process::answer(self.compiler(), &["--print", "target-libdir", "--target", target]);
        folder.is_some_and(|folder| Path::new(&folder).is_dir())
    }

    /// Returns this toolchain's cargo, which can build `core` from source.
    pub(crate) fn cargo(self) -> Command {
        let mut command = match self {
            Self::Active => host_cargo(),
            Self::System => system_cargo(),
        };
        command.env("RUSTC_BOOTSTRAP", "1");
        command
    }
}

/// Returns the cargo that runs this program, for builds of the host.
pub(crate) fn host_cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.env_remove("CARGO_MANIFEST_DIR");
    command
}

/// Returns the target triple of the host.
///
/// # Errors
/// There is no compiler that prints it.
pub(crate) fn host() -> Result<String> {
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    process::answer(&compiler, &["-vV"]).as_deref().and_then(host_in).context("rustc -vV names no host")
}

fn host_in(text: &str) -> Option<String> {
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

/// Returns Debian's cargo, without rustup's environment, whose library path would load the wrong compiler.
fn system_cargo() -> Command {
    let mut command = Command::new("/usr/bin/cargo");
    for variable in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "LD_LIBRARY_PATH", "CARGO_MANIFEST_DIR"] {
        command.env_remove(variable);
    }
    command.env("PATH", SYSTEM_PATH);
    command
}

fn can_build_core(compiler: &str) -> bool {
    let recent = process::answer(compiler, &["--version"]).and_then(|text| version(&text)).is_some_and(|v| v >= OLDEST);
    recent && process::answer(compiler, &["--print", "sysroot"]).is_some_and(|root| has_source(Path::new(&root)))
}

fn has_source(sysroot: &Path) -> bool {
    let library = sysroot.join("lib/rustlib/src/rust/library");
    library.join("Cargo.lock").is_file() && library.join("core/src/lib.rs").is_file()
}

/// Returns the first two numbers of a program's version line.
pub(crate) fn version(text: &str) -> Option<(u32, u32)> {
    let word = text.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
    let mut numbers = word.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compilers_version_is_read() {
        assert_eq!(version("rustc 1.96.0 (ac68faa20 2026-05-25)"), Some((1, 96)));
    }

    #[test]
    fn the_compilers_host_is_read() {
        assert_eq!(host_in("rustc 1.95.0\nhost: a-b-c\n").as_deref(), Some("a-b-c"));
    }

    #[test]
    fn an_emulators_version_is_read() {
        assert_eq!(version("QEMU emulator version 10.0.2 (Debian 1:10.0.2+ds-2)"), Some((10, 0)));
    }

    #[test]
    fn a_compiler_without_the_source_of_core_is_not_taken() {
        assert!(!has_source(Path::new("/nowhere")));
    }
}
