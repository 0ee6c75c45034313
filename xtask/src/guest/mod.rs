//! Boots Debian's own Linux beneath an example hypervisor, with a virtual unit.
//!
//! QEMU has the hypervisor as its kernel, and loads Linux beside it. The first process of the guest is ours: it measures
//! itself by perf_event_open and prints its results as the test kernels do.

mod aarch64;
mod board;
mod device_tree;
mod initramfs;
mod riscv;
mod x86;

use std::fmt::Display;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use board::Board;

use crate::identity::Identity;
use crate::machine::{Ending, SILENCE};
use crate::matrix::Extent;
use crate::place;
use crate::progress::Step;
use crate::setup::{self, Need};

/// One of Debian's kernels on a processor.
pub(crate) trait Boot: Display + Sync {
    /// The processor.
    fn identity(&self) -> Identity;

    /// Boot it, and pass on each line of the serial port.
    ///
    /// # Errors
    /// QEMU cannot be started.
    fn run(&self, limit: Duration, on_line: &mut dyn FnMut(&str)) -> Result<Ending>;
}

/// The machines that are no x86.
static BOARDS: [Board; 2] = [aarch64::BOARD, riscv::BOARD];

/// Returns what is needed to build and boot it on these processors.
pub(crate) fn needs(identities: &[Identity]) -> Vec<Need> {
    let mut needs = Vec::new();
    if x86::is_wanted(identities) {
        needs.extend(x86::needs());
    }
    needs.extend(BOARDS.iter().filter(|board| board.is_wanted(identities)).flat_map(Board::needs));
    needs
}

/// Returns the boots of this extent on these processors, as far as Linux has a driver for them, after building and fetching
/// what they need.
///
/// # Errors
/// A hypervisor or the guest's first process does not compile, or Debian's archive cannot be reached.
pub(crate) fn boots(identities: &[Identity], extent: Extent) -> Result<Vec<Box<dyn Boot>>> {
    fn boxed(boot: impl Boot + 'static) -> Box<dyn Boot> {
        Box::new(boot)
    }
    let mut boots: Vec<_> = x86::boots(identities, extent)?.into_iter().map(boxed).collect();
    for board in &BOARDS {
        boots.extend(board.boots(identities)?.into_iter().map(boxed));
    }
    Ok(boots)
}

/// Boot it once and print what it says.
///
/// # Errors
/// As [`boots`] and [`Boot::run`]; or a test of the guest fails.
pub(crate) fn demo(identity: Identity) -> Result<ExitCode> {
    setup::prepare(&needs(&[identity]))?;
    let boots = boots(&[identity], Extent::Whole)?;
    let boot = boots.first().with_context(|| format!("no guest is booted on {identity}"))?;
    let step = Step::begin(format!("booting beneath the hypervisor: {boot}"));
    let ending = boot.run(SILENCE, &mut |line| println!("{line}"))?;
    step.end(&ending.to_string());
    ensure!(ending == Ending::Success, "the guest {ending}");
    Ok(ExitCode::SUCCESS)
}

/// Where the kernels and the archives are kept.
fn folder() -> Result<PathBuf> {
    let folder = place::target().join("guest");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
