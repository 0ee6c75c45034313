//! The guest on x86-64, on each processor that Linux has a driver for.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, fs};

use anyhow::{Context, Result};

use super::{folder, initramfs};
use crate::identity::Identity;
use crate::kernel::{Kernel, build};
use crate::machine::{Ending, Machine};
use crate::matrix::Extent;
use crate::program::{PERF, STATIC_LIBRARY};
use crate::setup::{self, Need, Suite};
use crate::toolchain::host_cargo;
use crate::{place, process};

/// With nested paging, in which the hypervisor hides its own memory, and with a date that is always the same; the rest as for
/// the test kernel.
const ARGUMENTS: &str = "-accel tcg -machine q35 -cpu qemu64,+svm,+npt -icount shift=0,sleep=off \
    -rtc base=2026-01-01,clock=vm -m 256 -nodefaults \
    -display none -serial stdio -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=1";
const SUCCESS: i32 = 0x10 << 1 | 1;
/// Where the hypervisor expects the file of the kernel.
const LINUX_AT: &str = "addr=0x8000000,force-raw=on";
/// The local APIC's timer is the host's. `quiet` keeps all but errors off the serial port. A panic ends in a triple fault.
const COMMAND_LINE: &str = "console=ttyS0 quiet nokaslr mitigations=off nolapic_timer tsc=reliable panic=-1 reboot=t";

/// Debian's kernel for machines that are themselves emulated, which has few drivers.
const PACKAGE: &str = "linux-image-cloud-amd64";

/// Where perf is tested. It does not depend on the processor.
const PERF_IS_ON: (Linux, Identity) = (Linux::Stable, Identity::Skylake);

/// Where the newer kernel stands for the older one in the short extent.
const NEWER_IS_ON: Identity = Identity::Zen4;

/// Where the unit moves: on one processor of each family.
const MOVES_ON: [Identity; 4] = [Identity::Nehalem, Identity::Family10h, Identity::PentiumIII, Identity::Prescott];

/// Where it has two CPUs.
const TWO_CPUS_ON: [Identity; 3] = [Identity::SapphireRapids, Identity::Zen2, Identity::PentiumIII];
/// What tells the first process of the second CPU, and Linux that no CPU has a timer of its own.
const WITH_TWO_CPUS: &str = " two-cpus highres=off";

/// Returns its boots on those of these processors that have a driver, after building and fetching what they need.
pub(super) fn boots(identities: &[Identity], extent: Extent) -> Result<Vec<Boot>> {
    if !is_wanted(identities) {
        return Ok(Vec::new());
    }
    let files = Arc::new(Files::have()?);
    let of = |linux: Linux| linux.boots(identities, extent, &files);
    Ok([of(Linux::Stable)?, of(Linux::Newer)?].into_iter().flatten().collect())
}

/// Returns true if one of these processors has a driver.
pub(super) fn is_wanted(identities: &[Identity]) -> bool {
    identities.iter().any(|&identity| driver(identity).is_some())
}

/// Which of Debian's kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Linux {
    /// That of Debian 12.
    Stable,
    /// The one of a later release, built for Debian 12.
    Newer,
}

impl Linux {
    /// Returns its boots on those of these processors that it is tested on, after fetching it unless it is there.
    fn boots(self, identities: &[Identity], extent: Extent, files: &Arc<Files>) -> Result<Vec<Boot>> {
        let is_in = |&&identity: &&Identity| extent == Extent::Whole || self != Self::Stable || identity != NEWER_IS_ON;
        let drivers = identities.iter().filter(is_in).map(|&identity| (identity, self.driver(identity)));
        let tested: Vec<_> = drivers.filter_map(|(identity, driver)| Some((identity, driver?))).collect();
        if tested.is_empty() {
            return Ok(Vec::new());
        }
        let kernel = setup::kernel_of_debian(PACKAGE, self.suite(), &folder()?)?;
        let boot = |(identity, driver)| {
            let has_perf = (self, identity) == PERF_IS_ON;
            let (moves, has_two_cpus) = (MOVES_ON.contains(&identity), TWO_CPUS_ON.contains(&identity));
            let files = Arc::clone(files);
            Boot { linux: self, files, kernel: kernel.clone(), identity, driver, has_perf, moves, has_two_cpus }
        };
        Ok(tested.into_iter().map(boot).collect())
    }

    fn suite(self) -> Suite {
        match self {
            Self::Stable => Suite::Main,
            Self::Newer => Suite::Backports,
        }
    }

    /// Returns the beginning of what its driver says on this processor, or `None` if it is not tested there: because it has
    /// no driver, or because the newer one has the same as the older.
    fn driver(self, identity: Identity) -> Option<&'static str> {
        match (self, identity) {
            (Self::Stable, _) => driver(identity),
            (Self::Newer, Identity::LionCove) => {
                Some("Architectural LBR,  AnyThread deprecated, Lunarlake Hybrid events, ")
            }
            (Self::Newer, Identity::SapphireRapids) => {
                Some("Architectural LBR,  AnyThread deprecated, Sapphire Rapids events, ")
            }
            (Self::Newer, Identity::Zen4) => driver(identity),
            (Self::Newer, _) => None,
        }
    }
}

/// One of Debian's kernels on a processor.
pub(super) struct Boot {
    linux: Linux,
    files: Arc<Files>,
    kernel: PathBuf,
    identity: Identity,
    /// The beginning of what its driver says there.
    driver: &'static str,
    /// Whether the guest has Debian's perf as well.
    has_perf: bool,
    /// Whether its unit moves at each exit.
    moves: bool,
    /// Whether it has a second CPU.
    has_two_cpus: bool,
}

impl fmt::Display for Boot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.linux, self.identity)
    }
}

impl fmt::Display for Linux {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stable => "Debian's Linux",
            Self::Newer => "Debian's newer Linux",
        })
    }
}

/// The other files that QEMU is given.
struct Files {
    hypervisor: PathBuf,
    initramfs: PathBuf,
    with_perf: PathBuf,
}

/// Returns what is needed to build and boot it.
pub(super) fn needs() -> [Need; 5] {
    let [compiler, linker, emulator] = Kernel::X86.needs();
    [compiler, linker, emulator, Need::StaticLibrary(STATIC_LIBRARY), Need::Perf]
}

fn driver(identity: Identity) -> Option<&'static str> {
    Some(match identity {
        Identity::CoreDuo => "Core events, ",
        Identity::Core2 => "Core2 events, ",
        Identity::Nehalem => "Nehalem events, ",
        Identity::Skylake => "Skylake events, ",
        Identity::SapphireRapids => "Architectural LBR, Sapphire Rapids events, ",
        Identity::LionCove => "Architectural LBR, generic architected perfmon, ",
        Identity::K7 | Identity::K8 | Identity::Family10h => "AMD PMU driver.",
        Identity::Family15h => "Fam15h core perfctr, AMD PMU driver.",
        Identity::Zen2 | Identity::Zen3 => "Fam17h+ core perfctr, AMD PMU driver.",
        Identity::Zen4 => "Fam17h+ 16-deep LBR, core perfctr, AMD PMU driver.",
        Identity::PentiumII | Identity::PentiumIII | Identity::PentiumM => "p6 PMU driver.",
        Identity::Pentium4 | Identity::Prescott => "Netburst events, ",
        _ => return None,
    })
}

/// Returns how many branches the recorder has that Linux finds on this processor: 0 if there is none.
fn branches(identity: Identity) -> u32 {
    match identity {
        Identity::Core2 => 4,
        Identity::Nehalem | Identity::Zen4 => 16,
        Identity::Skylake | Identity::SapphireRapids | Identity::LionCove => 32,
        _ => 0,
    }
}

impl Files {
    /// Builds the hypervisor and the guest's first process.
    fn have() -> Result<Self> {
        let init = fs::read(build_init()?)?;
        Ok(Self {
            hypervisor: Kernel::X86.build_hypervisor("x86")?,
            initramfs: initramfs::write("initramfs.cpio", init.clone(), Vec::new())?,
            with_perf: initramfs::write("initramfs-with-perf.cpio", init, perf()?)?,
        })
    }
}

impl super::Boot for Boot {
    fn identity(&self) -> Identity {
        self.identity
    }

    fn run(&self, limit: Duration, on_line: &mut dyn FnMut(&str)) -> Result<Ending> {
        let Self { files, kernel, identity, driver, .. } = self;
        let (initramfs, word) = if self.has_perf { (&files.with_perf, " perf") } else { (&files.initramfs, "") };
        let driver = driver.trim_end().replace(' ', "_");
        let moves = if self.moves { "move " } else { "" };
        let (cpus, more) = if self.has_two_cpus { ("2", WITH_TWO_CPUS) } else { ("1", "") };
        let branches = branches(*identity);
        let words = format!("driver={driver} branches={branches}{word}{more}");
        let append = format!("identity={identity} {moves}-- {COMMAND_LINE} {words}");
        let linux = format!("loader,file={},{LINUX_AT}", kernel.display());
        let machine = Machine::new(Kernel::X86.emulator().command, SUCCESS).with(ARGUMENTS.split_whitespace());
        let files = [("-kernel", &files.hypervisor), ("-initrd", initramfs)];
        let machine = files
            .into_iter()
            .fold(machine, |machine, (option, path)| machine.with([option.as_ref(), path.as_os_str()]));
        machine.with(["-smp", cpus, "-device", &linux, "-append", &append]).run(limit, on_line)
    }
}

/// perf and the libraries that it is linked with, where it looks for them.
fn perf() -> Result<Vec<initramfs::File>> {
    let path = process::answer("which", &[PERF.command]).context("perf is not in the path")?;
    let libraries = process::answer("ldd", &[&path]).context("ldd does not know what perf is linked with")?;
    let files = [("usr/bin/perf", path.as_str())].into_iter().chain(libraries_in(&libraries).map(|path| (path, path)));
    files.map(|(to, from)| Ok((to.trim_start_matches('/').to_owned(), fs::read(from)?))).collect()
}

/// The paths in the lines of `ldd`: `libm.so.6 => /lib/libm.so.6 (0x7f)`, `/lib64/ld.so.2 (0x7f)`.
fn libraries_in(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')))
}

/// A program of the host's kind, with all of its libraries.
fn build_init() -> Result<PathBuf> {
    let mut cargo = host_cargo();
    cargo.env("RUSTFLAGS", "-C target-feature=+crt-static").args(["build", "--target", "x86_64-unknown-linux-gnu"]);
    cargo.arg("--target-dir").arg(place::cross_target().join("guest-init"));
    build("the guest's first process", &place::guest(), cargo)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_found_by_their_paths() {
        let text = "\tlinux-vdso.so.1 (0x7f)\n\tlibm.so.6 => /lib/libm.so.6 (0x7f)\n\t/lib64/ld.so.2 (0x7f)\n";
        assert_eq!(libraries_in(text).collect::<Vec<_>>(), ["/lib/libm.so.6", "/lib64/ld.so.2"]);
    }
}
