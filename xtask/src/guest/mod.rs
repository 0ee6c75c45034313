//! Boots Debian's own Linux beneath the example hypervisor, with a virtual unit.
//!
//! QEMU has the hypervisor as its kernel, and loads Linux beside it. The first process of the guest is ours: it measures
//! itself by perf_event_open and prints its results as the test kernels do.

mod initramfs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::identity::Identity;
use crate::kernel::{Kernel, executable};
use crate::machine::{Ending, Machine};
use crate::progress::Step;
use crate::setup::{self, Need};
use crate::toolchain::{Toolchain, host_cargo};
use crate::{place, process};

/// With nested paging, in which the hypervisor hides its own memory; the rest as for the test kernel.
const ARGUMENTS: &str = "-accel tcg -machine q35 -cpu qemu64,+svm,+npt -icount shift=0,sleep=off -m 256 -nodefaults \
    -display none -serial stdio -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=1";
const SUCCESS: i32 = 0x10 << 1 | 1;
/// Where the hypervisor expects the file of the kernel.
const LINUX_AT: &str = "addr=0x8000000,force-raw=on";
/// The local APIC's timer is the host's. `quiet` keeps all but errors off the serial port.
const COMMAND_LINE: &str = "console=ttyS0 quiet nokaslr mitigations=off nolapic_timer tsc=reliable panic=-1";

/// Debian's kernel for machines that are themselves emulated, which has few drivers.
const PACKAGE: &str = "linux-image-cloud-amd64";

/// The files that QEMU is given.
pub(crate) struct Guest {
    hypervisor: PathBuf,
    linux: PathBuf,
    initramfs: PathBuf,
}

/// Returns what is needed to build and boot it.
pub(crate) fn needs() -> [Need; 4] {
    let [compiler, linker, emulator] = Kernel::X86.needs();
    [compiler, linker, emulator, Need::StaticLibrary]
}

/// Returns the beginning of what Linux' driver says on this processor, or `None` if Linux has no driver for it.
pub(crate) fn driver(identity: Identity) -> Option<&'static str> {
    Some(match identity {
        Identity::CoreDuo => "Core events, ",
        Identity::Core2 => "Core2 events, ",
        Identity::Nehalem => "Nehalem events, ",
        Identity::Skylake => "Skylake events, ",
        Identity::SapphireRapids => "Sapphire Rapids events, ",
        Identity::LionCove => "generic architected perfmon, ",
        Identity::K7 | Identity::K8 | Identity::Family10h => "AMD PMU driver.",
        Identity::Family15h => "Fam15h core perfctr, AMD PMU driver.",
        Identity::Zen2 | Identity::Zen4 => "Fam17h+ core perfctr, AMD PMU driver.",
        Identity::PentiumII | Identity::PentiumIII | Identity::PentiumM => "p6 PMU driver.",
        Identity::Pentium4 | Identity::Prescott => "Netburst events, ",
        _ => return None,
    })
}

impl Guest {
    /// Build the hypervisor and the guest's first process, and fetch Linux.
    ///
    /// # Errors
    /// They do not compile, or the package of Linux cannot be had.
    pub(crate) fn have() -> Result<Self> {
        let folder = place::target().join("guest");
        fs::create_dir_all(&folder)?;
        let initramfs = folder.join("initramfs.cpio");
        fs::write(&initramfs, initramfs::with_init(&fs::read(build_init()?)?))?;
        Ok(Self { hypervisor: build_hypervisor()?, linux: setup::kernel_of_debian(PACKAGE, &folder)?, initramfs })
    }

    /// Boot it on this processor, and pass on each line of the serial port.
    ///
    /// # Errors
    /// QEMU cannot be started, or Linux has no driver for the processor.
    pub(crate) fn run(&self, identity: Identity, limit: Duration, on_line: impl FnMut(&str)) -> Result<Ending> {
        self.machine(identity)?.run(limit, on_line)
    }

    fn machine(&self, identity: Identity) -> Result<Machine> {
        let driver = driver(identity).with_context(|| format!("Linux on x86-64 has no driver for {identity}"))?;
        let append = format!("identity={identity} -- {COMMAND_LINE} driver={}", driver.trim_end().replace(' ', "_"));
        let linux = format!("loader,file={},{LINUX_AT}", self.linux.display());
        let machine = Machine::new(Kernel::X86.emulator().command, SUCCESS).with(ARGUMENTS.split_whitespace());
        let files = [("-kernel", &self.hypervisor), ("-initrd", &self.initramfs)];
        let machine = files
            .into_iter()
            .fold(machine, |machine, (option, path)| machine.with([option.as_ref(), path.as_os_str()]));
        Ok(machine.with(["-device", &linux, "-append", &append]))
    }
}

/// Boot it once and print what it says.
///
/// # Errors
/// As [`Guest::have`] and [`Guest::run`]; or a test of the guest fails.
pub(crate) fn demo(identity: Identity) -> Result<ExitCode> {
    setup::prepare(&needs())?;
    let guest = Guest::have()?;
    let step = Step::begin(format!("booting Debian's Linux beneath the hypervisor, on {identity}"));
    let ending = guest.run(identity, crate::machine::TIME_LIMIT, |line| println!("{line}"))?;
    step.end(&ending.to_string());
    ensure!(ending == Ending::Success, "the guest {ending}");
    Ok(ExitCode::SUCCESS)
}

fn build_hypervisor() -> Result<PathBuf> {
    let toolchain = Toolchain::find().context("no toolchain has the source of core")?;
    let mut cargo = toolchain.cargo();
    cargo.arg("build").arg("--target-dir").arg(place::cross_target().join("hypervisor"));
    build("the example hypervisor", &place::hypervisor(), cargo)
}

/// A program of the host's kind, with all of its libraries.
fn build_init() -> Result<PathBuf> {
    let mut cargo = host_cargo();
    cargo.env("RUSTFLAGS", "-C target-feature=+crt-static").args(["build", "--target", "x86_64-unknown-linux-gnu"]);
    cargo.arg("--target-dir").arg(place::cross_target().join("guest-init"));
    build("the guest's first process", &place::guest(), cargo)
}

fn build(name: &str, folder: &Path, mut cargo: std::process::Command) -> Result<PathBuf> {
    let step = Step::begin(format!("building {name}"));
    cargo.current_dir(folder).args(["--release", "--message-format=json-render-diagnostics"]);
    let outcome = process::run(&mut cargo)?;
    step.end(if outcome.succeeded { "built" } else { "failed" });
    if !outcome.succeeded {
        bail!("{name} does not compile:\n{}", outcome.complaint());
    }
    executable(&outcome.output).with_context(|| format!("cargo built {name} and named no executable"))
}
