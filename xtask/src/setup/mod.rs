//! Is everything here that a command needs, and if not, how does it get here?
//!
//! On Debian 12 as root the missing packages are installed, after saying which and why; elsewhere each missing thing is
//! named together with the way to get it. What is there already is never touched, so a second run calls no apt.

mod apt;
mod sources;

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::process;
use crate::toolchain::{Toolchain, version};

/// The first QEMU whose SVM emulation was seen to run the test kernel exactly.
const OLDEST_EMULATOR: (u32, u32) = (9, 0);

/// Something that a command cannot do without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// A compiler with the source of `core`.
    Compiler,
    /// GNU ld.
    Linker,
    /// QEMU for x86-64.
    Emulator,
}

impl Need {
    /// What the kernel's tests need.
    pub(crate) const ALL: [Self; 3] = [Self::Compiler, Self::Linker, Self::Emulator];

    fn is_met(self) -> bool {
        match self {
            Self::Compiler => Toolchain::find().is_some(),
            Self::Linker => process::answer("ld", &["--version"]).is_some_and(|text| text.contains("GNU ld")),
            Self::Emulator => process::answer("qemu-system-x86_64", &["--version"])
                .and_then(|text| version(&text))
                .is_some_and(|found| found >= OLDEST_EMULATOR),
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::Compiler => "a Rust compiler with the source of core: builds core for bare machines",
            Self::Linker => "GNU ld: links the test kernel and the no-panic proof",
            Self::Emulator => "QEMU 9 or newer for x86-64: boots the test kernel",
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Compiler => "rustup component add rust-src (to the active toolchain)",
            Self::Linker => "install your system's package `binutils`; GNU ld must be `ld` in the path",
            Self::Emulator => "install your system's package `qemu-system-x86`, `qemu-system-x86_64` in the path",
        }
    }

    fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Compiler => &["rustc-web", "cargo-web", "rust-web-src"],
            Self::Linker => &["binutils"],
            Self::Emulator => &["qemu-system-x86"],
        }
    }

    /// Debian 12's own QEMU is 7.2; the newer one is in its backports.
    fn suite(self) -> apt::Suite {
        match self {
            Self::Emulator => apt::Suite::Backports,
            Self::Compiler | Self::Linker => apt::Suite::Main,
        }
    }
}

/// Have all of these, installing what is missing where that is possible.
///
/// # Errors
/// Something is missing and this is no Debian 12, or we are not root, or apt fails; the error names each missing thing
/// and the way to get it.
pub(crate) fn prepare(needs: &[Need]) -> Result<()> {
    let missing = missing_of(needs);
    if missing.is_empty() {
        return Ok(());
    }
    if !(is_debian_12() && is_root()) {
        bail!("{}", report(&missing));
    }
    for need in &missing {
        eprintln!("set-up: {} [{}]", need.reason(), need.packages().join(", "));
    }
    install(&missing)?;
    let still_missing = missing_of(&missing);
    if still_missing.is_empty() { Ok(()) } else { bail!("after the installation, {}", report(&still_missing)) }
}

fn missing_of(needs: &[Need]) -> Vec<Need> {
    needs.iter().copied().filter(|need| !need.is_met()).collect()
}

fn install(missing: &[Need]) -> Result<()> {
    for suite in [apt::Suite::Main, apt::Suite::Backports] {
        let wanted = missing.iter().filter(|need| need.suite() == suite);
        let packages: Vec<_> = wanted.flat_map(|need| need.packages()).copied().collect();
        if !packages.is_empty() {
            apt::install(suite, &packages)?;
        }
    }
    Ok(())
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

/// The owner of our own process directory is who we are.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(Path::new("/proc/self")).is_ok_and(|process| process.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_each_missing_thing_and_how_to_get_it() {
        let report = report(&[Need::Compiler, Need::Emulator]);
        assert!(report.contains("source of core") && report.contains("rustup component add rust-src"));
        assert!(report.contains("QEMU") && report.contains("qemu-system-x86"));
        assert!(!report.contains("binutils"));
    }
}
