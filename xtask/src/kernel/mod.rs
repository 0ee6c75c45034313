//! Builds and boots the test kernels.
//!
//! There is one kernel for each architecture and width; those of one architecture are made of one workspace under
//! `kernel-test`. To add one: a file here with its [`Recipe`], a variant of [`Kernel`], and its processors in
//! [`Identity`].

pub(crate) mod aarch64;
mod loader;
mod loongarch;
mod mips;
pub(crate) mod powerpc;
pub(crate) mod riscv;
mod sparc;
mod x86;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde_json::Value;

use crate::identity::Identity;
use crate::machine::{self, Ending, Machine};
use crate::program::Program;
use crate::progress::Step;
use crate::setup::{self, Need};
use crate::toolchain::Toolchain;
use crate::{place, process};

/// A bootable test kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Kernel {
    /// For PowerPC of 64 bits.
    #[value(name = "powerpc64")]
    PowerPc64,
    /// For PowerPC of 32 bits.
    #[value(name = "powerpc32")]
    PowerPc32,
    /// For x86-64.
    X86,
    /// For x86 of 32 bits.
    I686,
    /// For x86 of 32 bits without CMOV, 64-bit atomics and what else an i486 has not.
    I486,
    /// For AArch64.
    #[value(name = "aarch64")]
    Aarch64,
    /// For SPARC V9.
    Sparc,
    /// For LoongArch of 64 bits.
    #[value(name = "loongarch")]
    LoongArch,
    /// For MIPS of 64 bits.
    #[value(name = "mips64")]
    Mips64,
    /// For MIPS of 32 bits.
    #[value(name = "mips32")]
    Mips32,
    /// For RISC-V of 64 bits.
    #[value(name = "riscv64")]
    Riscv64,
    /// For RISC-V of 32 bits.
    #[value(name = "riscv32")]
    Riscv32,
}

/// A kernel that was built.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) kernel: Kernel,
    pub(crate) path: PathBuf,
}

/// What a kernel is built of and booted by.
struct Recipe {
    name: &'static str,
    /// The folder of its sources.
    folder: &'static str,
    /// The target, of a folder that has several.
    target: Option<&'static str>,
    linker: Program,
    emulator: Program,
    /// Returns the machine that boots an image as a processor, with the words of its command line.
    machine: fn(&Path, Identity, &str) -> Machine,
    /// The first word of its figures' names.
    figures: &'static str,
    /// The target, from the repository's root, for which the documentation is built: that of one kernel of an instruction set.
    documented: Option<&'static str>,
}

impl Kernel {
    const fn recipe(self) -> &'static Recipe {
        match self {
            Self::PowerPc64 => &powerpc::KERNEL_64,
            Self::PowerPc32 => &powerpc::KERNEL_32,
            Self::X86 => &x86::X86_64,
            Self::I686 => &x86::I686,
            Self::I486 => &x86::I486,
            Self::Aarch64 => &aarch64::KERNEL,
            Self::Sparc => &sparc::KERNEL,
            Self::LoongArch => &loongarch::KERNEL,
            Self::Mips64 => &mips::KERNEL_64,
            Self::Mips32 => &mips::KERNEL_32,
            Self::Riscv64 => &riscv::KERNEL_64,
            Self::Riscv32 => &riscv::KERNEL_32,
        }
    }

    fn name(self) -> &'static str {
        self.recipe().name
    }

    /// Returns the folder of its sources.
    pub(crate) fn folder(self) -> PathBuf {
        place::kernels().join(self.recipe().folder)
    }

    /// Returns cargo's configuration for it: the targets, their flags and how `core` is built.
    pub(crate) fn configuration(self) -> PathBuf {
        self.folder().join(".cargo/config.toml")
    }

    /// The target, of a folder that has several.
    pub(crate) fn target(self) -> Option<&'static str> {
        self.recipe().target
    }

    /// Returns the target for which the documentation is built, if this kernel's is one.
    pub(crate) fn documented(self) -> Option<&'static str> {
        self.recipe().documented
    }

    /// Returns the first word of its figures' names.
    pub(crate) fn figures(self) -> &'static str {
        self.recipe().figures
    }

    /// Returns true if it is an x86 kernel: they have one source.
    pub(crate) fn is_x86(self) -> bool {
        matches!(self, Self::X86 | Self::I686 | Self::I486)
    }

    /// Returns its linker.
    pub(crate) fn linker(self) -> Program {
        self.recipe().linker
    }

    /// Returns its emulator.
    pub(crate) fn emulator(self) -> Program {
        self.recipe().emulator
    }

    /// Returns what is needed to build and boot it.
    pub(crate) fn needs(self) -> [Need; 3] {
        [Need::Compiler, self.linking(), self.booting()]
    }

    /// Returns what is needed to link it.
    pub(crate) fn linking(self) -> Need {
        Need::Linker(self.linker(), self.name())
    }

    /// Returns what is needed to boot it.
    pub(crate) fn booting(self) -> Need {
        Need::Emulator(self.emulator(), self.name())
    }

    /// Build the image; the folder's own cargo configuration knows the target, its flags and `core`, and its build script the
    /// linker script. The flags and `core` are the same for all programs of a target, which are built in one folder: what they
    /// have in common is compiled once.
    ///
    /// # Errors
    /// No toolchain can build it, or it does not compile; the error contains the compiler's output. Or the image cannot be
    /// converted to the file that the board needs.
    pub(crate) fn build(self) -> Result<Image> {
        self.build_with(if self.has_bench() { &["--features", "bench"] } else { &[] })
    }

    /// Builds the image with the bench in it.
    ///
    /// # Errors
    /// As of [`build`](Self::build).
    pub(crate) fn build_with_bench(self) -> Result<Image> {
        self.build_with(&["--features", "bench"])
    }

    fn build_with(self, features: &[&str]) -> Result<Image> {
        let toolchain = Toolchain::find().context("no toolchain has the source of core")?;
        let mut command = self.build_command(toolchain);
        command.args(features);
        Image::of(self, build(&format!("the test kernel {self}"), &self.folder(), command)?)
    }

    /// Returns true if the bench, half of an image's code, is in the one that the tests boot: in that of x86-64, which has the
    /// most to measure.
    pub(crate) fn has_bench(self) -> bool {
        self == Self::X86
    }

    /// Builds the example hypervisor with this name beside the kernel. Returns the executable.
    ///
    /// # Errors
    /// It does not compile.
    pub(crate) fn build_hypervisor(self, name: &str) -> Result<PathBuf> {
        let mut cargo = Toolchain::find().context("no toolchain has the source of core")?.cargo();
        cargo.arg("build").arg("--target-dir").arg(self.target_folder());
        build(&format!("the example hypervisor {name}"), &place::hypervisor(name), cargo)
    }

    /// Returns where it is then, for this target.
    fn hypervisor(self, target: &str) -> PathBuf {
        self.target_folder().join(target).join("release/hypervisor")
    }

    /// As `cargo test` in its folder builds it. Each is built in a folder of its own, so that several can be built at the same
    /// time.
    fn build_command(self, toolchain: Toolchain) -> Command {
        let mut command = toolchain.cargo();
        command
            .args(["test", "--no-run"])
            .args(self.target().iter().flat_map(|target| ["--target", target]))
            .arg("--target-dir")
            .arg(self.target_folder());
        command
    }

    /// Where it is built.
    pub(crate) fn target_folder(self) -> PathBuf {
        place::cross_target().join(self.name())
    }
}

impl Identity {
    /// Returns the kernel that runs on it.
    pub(crate) fn kernel(self) -> Kernel {
        match self {
            Self::P5 | Self::P5Mmx => Kernel::I486,
            Self::CoreDuo | Self::K7 => Kernel::I686,
            Self::PentiumII | Self::PentiumIII | Self::PentiumM | Self::Pentium4 => Kernel::I686,
            Self::Core2 | Self::Nehalem | Self::Skylake | Self::SapphireRapids | Self::LionCove => Kernel::X86,
            Self::Power8 | Self::Power9 | Self::Power10 | Self::Ppc970 => Kernel::PowerPc64,
            Self::Powernv8 | Self::Powernv9 | Self::Powernv10 => Kernel::PowerPc64,
            Self::Ppc750 | Self::Ppc7450 | Self::E300 | Self::E500 => Kernel::PowerPc32,
            Self::Prescott | Self::K8 | Self::Family10h | Self::Family15h | Self::Zen2 => Kernel::X86,
            Self::Zen3 | Self::Zen4 => Kernel::X86,
            Self::CortexA53 | Self::CortexA57 | Self::CortexA72 | Self::CortexA76 => Kernel::Aarch64,
            Self::NeoverseN1 | Self::NeoverseV1 | Self::Max => Kernel::Aarch64,
            Self::UltraSparcII | Self::UltraSparcIII | Self::UltraSparcIVPlus => Kernel::Sparc,
            Self::UltraSparcT1 | Self::UltraSparcT2 => Kernel::Sparc,
            Self::R10000 | Self::R10000V2 | Self::R12000 | Self::R14000 => Kernel::Mips64,
            Self::Mips5K | Self::Mips20K | Self::Octeon | Self::OcteonII => Kernel::Mips64,
            Self::Mips24K | Self::Mips34K | Self::Mips74K | Self::Mips1004K => Kernel::Mips32,
            Self::Loongson3A5000 => Kernel::LoongArch,
            Self::Rv64M | Self::Rv64S | Self::Rv64Sbi | Self::Rv64Sse | Self::Rv64Vs => Kernel::Riscv64,
            Self::Rv64DeviceM | Self::Rv64DeviceS => Kernel::Riscv64,
            Self::Rv32M | Self::Rv32S | Self::Rv32MPlain => Kernel::Riscv32,
        }
    }
}

impl std::fmt::Display for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Builds with this cargo command in this folder, optimised. Returns the executable.
///
/// # Errors
/// It does not compile.
pub(crate) fn build(name: &str, folder: &Path, cargo: Command) -> Result<PathBuf> {
    build_with_flags(name, folder, cargo, &[])
}

/// Like [`build`], with flags for the compiler of this package alone, which `cargo rustc` takes.
///
/// # Errors
/// It does not compile.
pub(crate) fn build_with_flags(name: &str, folder: &Path, mut cargo: Command, flags: &[String]) -> Result<PathBuf> {
    let step = Step::begin(format!("building {name}"));
    cargo.current_dir(folder).args(["--release", "--message-format=json-render-diagnostics"]);
    if !flags.is_empty() {
        cargo.arg("--").args(flags);
    }
    let outcome = process::run(&mut cargo)?;
    step.end(if outcome.succeeded { "built" } else { "failed" });
    if !outcome.succeeded {
        bail!("{name} does not compile:\n{}", outcome.complaint());
    }
    executable(&outcome.output).with_context(|| format!("cargo built {name} and named no executable"))
}

/// Returns the executable among cargo's messages.
fn executable(messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back()
}

impl Image {
    /// The image in this ELF file, made ready to be booted.
    ///
    /// # Errors
    /// The image cannot be converted to the file that the board needs, or the hypervisor above it does not compile.
    pub(crate) fn of(kernel: Kernel, path: PathBuf) -> Result<Self> {
        match kernel {
            Kernel::PowerPc64 => powerpc::flatten(&path)?,
            Kernel::Riscv64 => drop(kernel.build_hypervisor("riscv")?),
            _ => {}
        }
        Ok(Self { kernel, path })
    }

    /// The emulated machine with this processor that runs it.
    pub(crate) fn on(&self, identity: Identity, words: &str) -> Machine {
        (self.kernel.recipe().machine)(&self.path, identity, words)
    }

    /// Boot it, and pass on each line of the serial port.
    ///
    /// # Errors
    /// QEMU cannot be started, or the kernel fails.
    pub(crate) fn hear(&self, identity: Identity, words: &str, on_line: impl FnMut(&str)) -> Result<()> {
        let step = Step::begin(format!("running the kernel in QEMU: {identity} {words}"));
        let ending = self.on(identity, words).run(machine::SILENCE, on_line)?;
        step.end(&ending.to_string());
        if ending == Ending::Success { Ok(()) } else { bail!("the kernel {ending}") }
    }
}

/// Install what this processor's kernel needs, and build the kernel.
///
/// # Errors
/// Something is missing that cannot be installed, or the image does not compile.
pub(crate) fn have(identity: Identity) -> Result<Image> {
    setup::prepare(&identity.kernel().needs())?;
    identity.kernel().build()
}

/// As [`have`], with the bench in the image.
///
/// # Errors
/// As of [`have`].
pub(crate) fn have_bench(identity: Identity) -> Result<Image> {
    setup::prepare(&identity.kernel().needs())?;
    identity.kernel().build_with_bench()
}

/// Boot and print the serial port unchanged.
///
/// # Errors
/// As [`have`] and [`Image::hear`].
pub(crate) fn boot(identity: Identity, words: &[String]) -> Result<ExitCode> {
    let image = if words.iter().any(|word| word == "run=bench") { have_bench(identity) } else { have(identity) };
    image?.hear(identity, &words.join(" "), |line| println!("{line}")).map(|()| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_cargos_messages() {
        let messages = "{\"reason\":\"compiler-artifact\",\"executable\":null}\n\
                        {\"reason\":\"compiler-artifact\",\"executable\":\"/a/kernel\"}\n{\"reason\":\"build-finished\"}";
        assert_eq!(executable(messages), Some(PathBuf::from("/a/kernel")));
    }
}
