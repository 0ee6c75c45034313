//! Proves that no panic is reachable from the interrupt handler, by linking it without a panic function.
//!
//! The static library's panic handler calls a function that is not defined. The linker removes every section
//! that the interrupt handler cannot reach. If it then reports no undefined symbol, no panic is reachable.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::kernel::Kernel;
use crate::toolchain::Toolchain;
use crate::{place, process};

/// The function that the library's panic handler calls. Its name appears in the linker's message.
pub(super) const UNDEFINED: &str = "a_panic_is_reachable_from_the_interrupt";

/// The architecture whose entries are linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entries {
    /// x86, and the handlers of drivers that have no entry.
    X86,
    /// x86 with 32 bits.
    I686,
    /// AArch64's.
    Aarch64,
    /// PowerPC with 64 bits.
    PowerPc64,
    /// PowerPC with 32 bits.
    PowerPc32,
    /// RISC-V's, of the firmware's software event.
    Riscv64,
}

impl Entries {
    pub(super) const ALL: [Self; 6] =
        [Self::X86, Self::I686, Self::Aarch64, Self::PowerPc64, Self::PowerPc32, Self::Riscv64];

    /// The library's root, which names them.
    fn root(self) -> &'static str {
        match self {
            Self::X86 | Self::I686 => "nmi_gates",
            Self::Aarch64 => "irq_vectors",
            Self::PowerPc64 | Self::PowerPc32 => "pmi_vector",
            Self::Riscv64 => "event_entry",
        }
    }

    fn target(self) -> &'static str {
        match self {
            Self::X86 => "x86_64-unknown-none",
            Self::Aarch64 => "aarch64-unknown-none-softfloat",
            Self::I686 | Self::PowerPc64 | Self::PowerPc32 | Self::Riscv64 => {
                self.kernel().target().expect("its folder has several")
            }
        }
    }

    /// Where cargo puts what it builds for the target.
    fn folder(self) -> PathBuf {
        let name = Path::new(self.target()).file_stem().unwrap_or_default();
        self.kernel().target_folder().join(name)
    }

    /// How the linker is told which programs it links, if it links several kinds.
    fn emulation(self) -> &'static [&'static str] {
        match self {
            Self::I686 => &["-m", "elf_i386"],
            _ => &[],
        }
    }

    /// The test kernel that they are built like, and whose linker links them.
    pub(super) fn kernel(self) -> Kernel {
        match self {
            Self::X86 => Kernel::X86,
            Self::I686 => Kernel::I686,
            Self::Aarch64 => Kernel::Aarch64,
            Self::PowerPc64 => Kernel::PowerPc64,
            Self::PowerPc32 => Kernel::PowerPc32,
            Self::Riscv64 => Kernel::Riscv64,
        }
    }
}

/// The handler in the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variant {
    /// The driver's.
    Good,
    /// The driver's with a panic in it.
    Bad,
}

impl Variant {
    fn features(self) -> &'static [&'static str] {
        match self {
            Self::Good => &[],
            Self::Bad => &["--features", "bad"],
        }
    }

    /// The linked program's file; the libraries share one name and one folder, so that `core` is compiled once.
    fn program(self, entries: Entries) -> PathBuf {
        let name = match self {
            Self::Good => "handler.elf",
            Self::Bad => "handler-that-panics.elf",
        };
        entries.folder().join(name)
    }
}

/// How undefined symbols are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Undefined {
    /// They are errors: this is the proof.
    Refuse,
    /// They are ignored, so that there is a program for the walk.
    Ignore,
}

/// The handler and all it reaches as one program.
///
/// # Errors
/// The library does not compile, or a symbol is undefined; the error contains the linker's output.
pub(super) fn link(entries: Entries, variant: Variant, undefined: Undefined) -> Result<PathBuf> {
    let library = build(entries, variant)?;
    let program = variant.program(entries);
    link_from(entries, entries.root(), &library, program, undefined)
}

/// A function of x86's library and all it reaches as one program. A panic is no error.
///
/// # Errors
/// The library does not compile or link; the error contains the output.
pub(super) fn link_function(root: &str) -> Result<PathBuf> {
    let library = build(Entries::X86, Variant::Good)?;
    let program = Entries::X86.folder().join(root).with_extension("elf");
    link_from(Entries::X86, root, &library, program, Undefined::Ignore)
}

fn link_from(entries: Entries, root: &str, library: &Path, program: PathBuf, undefined: Undefined) -> Result<PathBuf> {
    let outcome = process::run(&mut linker(entries, root, library, &program, undefined))?;
    if outcome.succeeded { Ok(program) } else { bail!("ld refuses it:\n{}", outcome.errors) }
}

/// The negative control: a handler that panics must be refused, because of its panic.
pub(super) fn refuses_a_panic(entries: Entries) -> Result<()> {
    match link(entries, Variant::Bad, Undefined::Refuse) {
        Ok(_) => bail!("the linker took a handler that panics"),
        Err(error) => ensure!(format!("{error:#}").contains(UNDEFINED), "refused, but not for its panic: {error:#}"),
    }
    Ok(())
}

/// Builds them where the test kernel is built, and with its flags: `core` and the library are compiled once for both.
fn build(entries: Entries, variant: Variant) -> Result<PathBuf> {
    let outcome = process::run(&mut cargo(entries, variant)?)?;
    ensure!(outcome.succeeded, "the library does not compile:\n{}", outcome.complaint());
    Ok(entries.folder().join("release/libno_panic.a"))
}

fn cargo(entries: Entries, variant: Variant) -> Result<Command> {
    let toolchain = Toolchain::find().context("no toolchain has the source of core")?;
    let mut cargo = toolchain.cargo();
    cargo.current_dir(place::no_panic()).args(["build", "--release"]).args(variant.features());
    cargo.arg("--config").arg(entries.kernel().configuration()).args(["--target", entries.target()]);
    cargo.arg("--target-dir").arg(entries.kernel().target_folder());
    Ok(cargo)
}

fn linker(entries: Entries, root: &str, library: &Path, program: &Path, undefined: Undefined) -> Command {
    let mut command = Command::new(entries.kernel().linker().command);
    command
        .args(entries.emulation())
        .args(["--gc-sections", "--entry", root, "--undefined", root, "-o"])
        .arg(program)
        .arg(library);
    if undefined == Undefined::Ignore {
        command.arg("--unresolved-symbols=ignore-all");
    }
    command
}
