//! A guest that is told of its machine by a device tree. QEMU loads it, Linux and the tree beside the hypervisor.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, fs};

use anyhow::{Context, Result};

use super::device_tree::Loaded;
use super::{folder, initramfs};
use crate::identity::Identity;
use crate::kernel::{Kernel, build};
use crate::machine::{Ending, Machine};
use crate::place;
use crate::program::{Library, Program};
use crate::setup::{self, Foreign, Need};
use crate::toolchain::Toolchain;

/// What one architecture has.
pub(super) struct Board {
    /// The folder of the hypervisor, and the name of its files.
    pub(super) name: &'static str,
    /// The identities whose test kernels have the guest's unit too.
    pub(super) identities: &'static [Identity],
    /// The test kernel that is built and booted in the same way.
    pub(super) kernel: Kernel,
    /// Returns QEMU with the hypervisor.
    pub(super) machine: fn(Identity) -> Machine,
    /// Where the hypervisor expects Linux and the device tree, and what the tree names.
    pub(super) linux_at: u64,
    pub(super) device_tree_at: u64,
    pub(super) initramfs_at: u64,
    pub(super) command_line: &'static str,
    /// Returns the device tree.
    pub(super) device_tree: fn(&Loaded<'_>) -> Result<Vec<u8>>,
    /// Debian's kernel, by its package, and where that is.
    pub(super) package: &'static str,
    pub(super) archive: Foreign,
    /// What the first process is built for, and with: it is a program of Linux.
    pub(super) target: &'static str,
    pub(super) compiler: Program,
    pub(super) library: Library,
}

impl Board {
    /// Returns what is needed to build and boot it.
    pub(super) fn needs(&self) -> [Need; 5] {
        let [compiler, linker, emulator] = self.kernel.needs();
        [compiler, linker, emulator, Need::CCompiler(self.compiler), Need::StaticLibrary(self.library)]
    }

    /// Returns those of these identities that it has.
    fn wanted(&self, identities: &[Identity]) -> Vec<Identity> {
        self.identities.iter().copied().filter(|identity| identities.contains(identity)).collect()
    }

    /// Returns true if it is to be booted.
    pub(super) fn is_wanted(&self, identities: &[Identity]) -> bool {
        !self.wanted(identities).is_empty()
    }

    /// Returns its boots on those of these processors that it has, after building and fetching what they need.
    ///
    /// # Errors
    /// As [`super::boots`].
    pub(super) fn boots(&'static self, identities: &[Identity]) -> Result<Vec<Boot>> {
        if !self.is_wanted(identities) {
            return Ok(Vec::new());
        }
        let files = Arc::new(self.have()?);
        let boot = |identity| Boot { board: self, identity, files: Arc::clone(&files) };
        Ok(self.wanted(identities).into_iter().map(boot).collect())
    }

    fn have(&self) -> Result<Files> {
        let linux = setup::kernel_of_another(self.package, self.archive, &folder()?)?;
        let name = self.name;
        let program = fs::read(self.build_init()?)?;
        let initramfs = initramfs::write(&format!("initramfs-{name}.cpio"), program, Vec::new())?;
        let end = self.initramfs_at + fs::metadata(&initramfs)?.len();
        let device_tree = folder()?.join(format!("{name}.dtb"));
        let loaded = Loaded { command_line: self.command_line, initramfs: self.initramfs_at..end };
        fs::write(&device_tree, (self.device_tree)(&loaded)?)?;
        self.kernel.build_hypervisor(name)?;
        Ok(Files { linux, device_tree, initramfs })
    }

    /// A program with all of its libraries, the standard library among them, which is built from its source: not optimised,
    /// which takes half the time, as what is counted is assembly.
    fn build_init(&self) -> Result<PathBuf> {
        let mut cargo = Toolchain::find().context("no toolchain has the source of std")?.cargo();
        cargo.env("RUSTFLAGS", "-C target-feature=+crt-static").env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        let linker = format!("CARGO_TARGET_{}_LINKER", self.target.to_uppercase().replace('-', "_"));
        cargo.env(linker, self.compiler.command);
        cargo.args(["build", "-Zbuild-std=std,panic_abort", "-Zbuild-std-features=", "--target", self.target]);
        cargo.arg("--target-dir").arg(place::cross_target().join(format!("guest-init-{}", self.name)));
        build(&format!("the guest's first process, {}", self.name), &place::guest(), cargo)
    }
}

/// The files that QEMU is given.
struct Files {
    linux: PathBuf,
    device_tree: PathBuf,
    initramfs: PathBuf,
}

/// A board with one of its processors.
pub(super) struct Boot {
    board: &'static Board,
    identity: Identity,
    files: Arc<Files>,
}

impl super::Boot for Boot {
    fn identity(&self) -> Identity {
        self.identity
    }

    fn run(&self, limit: Duration, on_line: &mut dyn FnMut(&str)) -> Result<Ending> {
        let (board, files) = (self.board, &self.files);
        let loaded = [
            (&files.linux, board.linux_at),
            (&files.device_tree, board.device_tree_at),
            (&files.initramfs, board.initramfs_at),
        ];
        let load = |(path, address): (&PathBuf, u64)| {
            ["-device".to_owned(), format!("loader,file={},addr={address:#x},force-raw=on", path.display())]
        };
        loaded.into_iter().map(load).fold((board.machine)(self.identity), Machine::with).run(limit, on_line)
    }
}

impl fmt::Display for Boot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Debian's Linux on {}", self.identity)
    }
}
