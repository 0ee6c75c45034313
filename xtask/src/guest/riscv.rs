//! The guest on RISC-V, in VS mode: its unit is the firmware's, by calls of the SBI, which the hypervisor answers.

use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, fs};

use anyhow::{Context, Result};

use super::device_tree::{self, Loaded};
use super::{folder, initramfs};
use crate::identity::Identity;
use crate::kernel::{Kernel, build, riscv};
use crate::machine::{Ending, Machine};
use crate::place;
use crate::program::{RISCV_COMPILER, RISCV_STATIC_LIBRARY};
use crate::setup::{self, Foreign, Need};
use crate::toolchain::Toolchain;

/// The identity whose kernel has its unit by the SBI too.
const IDENTITY: Identity = Identity::Rv64Sbi;

/// Where the hypervisor expects Linux and the device tree (`hypervisor/riscv/src/linux.rs`), and what the tree names.
const LINUX_AT: u64 = 0x8020_0000;
const DEVICE_TREE_AT: u64 = 0x8400_0000;
const INITRAMFS_AT: u64 = 0x8420_0000;

/// `quiet` keeps all but errors off the serial port. The rest is the beginning of what Linux' driver says.
const COMMAND_LINE: &str = "console=ttyS0 quiet panic=-1 driver=SBI_PMU_extension_is_available";

/// Debian's kernel, which is of a later release: Debian 12 has none for RISC-V.
const PACKAGE: &str = "linux-image-riscv64";
const ARCHIVE: Foreign = Foreign { architecture: "riscv64", release: "trixie" };

/// The first process is a program of Linux.
const TARGET: &str = "riscv64gc-unknown-linux-gnu";

/// Returns true if it is to be booted.
pub(super) fn is_wanted(identities: &[Identity]) -> bool {
    identities.contains(&IDENTITY)
}

/// Returns what is needed to build and boot it.
pub(super) fn needs() -> [Need; 5] {
    let [compiler, linker, emulator] = Kernel::Riscv64.needs();
    [compiler, linker, emulator, Need::CCompiler(RISCV_COMPILER), Need::StaticLibrary(RISCV_STATIC_LIBRARY)]
}

/// Returns its boot, if it is wanted, after building and fetching what it needs.
pub(super) fn boots(identities: &[Identity]) -> Result<Option<Boot>> {
    is_wanted(identities).then(Boot::have).transpose()
}

/// The files that QEMU is given.
pub(super) struct Boot {
    linux: PathBuf,
    device_tree: PathBuf,
    initramfs: PathBuf,
}

impl Boot {
    fn have() -> Result<Self> {
        let linux = setup::kernel_of_another(PACKAGE, ARCHIVE, &folder()?)?;
        let initramfs = initramfs::write("initramfs-riscv64.cpio", fs::read(build_init()?)?, Vec::new())?;
        let end = INITRAMFS_AT + fs::metadata(&initramfs)?.len();
        let device_tree = folder()?.join("riscv64.dtb");
        let loaded = Loaded { command_line: COMMAND_LINE, initramfs: INITRAMFS_AT..end };
        fs::write(&device_tree, device_tree::of_guest(&loaded)?)?;
        riscv::build_hypervisor()?;
        Ok(Self { linux, device_tree, initramfs })
    }
}

impl super::Boot for Boot {
    fn run(&self, limit: Duration, on_line: &mut dyn FnMut(&str)) -> Result<Ending> {
        let loaded = [(&self.linux, LINUX_AT), (&self.device_tree, DEVICE_TREE_AT), (&self.initramfs, INITRAMFS_AT)];
        let load = |(path, address): (&PathBuf, u64)| {
            ["-device".to_owned(), format!("loader,file={},addr={address:#x},force-raw=on", path.display())]
        };
        loaded.into_iter().map(load).fold(riscv::machine_of_hypervisor(), Machine::with).run(limit, on_line)
    }
}

impl fmt::Display for Boot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Debian's Linux on {IDENTITY}")
    }
}

/// A program with all of its libraries, the standard library among them, which is built from its source: not optimised, which
/// takes half the time, as what is counted is assembly.
fn build_init() -> Result<PathBuf> {
    let mut cargo = Toolchain::find().context("no toolchain has the source of std")?.cargo();
    cargo.env("RUSTFLAGS", "-C target-feature=+crt-static").env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
    cargo.env("CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER", RISCV_COMPILER.command);
    cargo.args(["build", "-Zbuild-std=std,panic_abort", "--target", TARGET]);
    cargo.arg("--target-dir").arg(place::cross_target().join("guest-init-riscv"));
    build("the guest's first process for RISC-V", &place::guest(), cargo)
}
