//! Runs in the layouts of other systems' tools. The kernel prints the tables itself, with the crate's report types.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::ValueEnum;

use super::{PRECISE, fdo, flame, mem, perf};
use crate::guest;
use crate::identity::Identity;
use crate::kernel::{self, Image, Kernel};
use crate::setup::{self, Need};

/// One of these runs, by the word on the kernel's command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Show {
    /// Threads, each with its own counts
    Cputrack,
    /// A CPU, with sets of events in rotation
    Cpustat,
    /// A program, by one event after the other, and statistics from them
    Perfex,
    /// Threads, each sampled by its own events
    Profile,
    /// A program's functions, and the callers of each
    Callers,
    /// Two processes and their kernel, by image and function
    Opreport,
    /// The same on a Pentium 4, sampled by three of its events at once
    Oprofile,
    /// The instructions that make misaligned accesses, by an overflow interrupt and by AMD's sampling (IBS)
    Misaligned,
    /// Two threads that share a cache line, by the addresses of their data (IBS)
    Sharing,
    /// All of these
    Every,
    /// The processes, the kernel and its callers, in Linux' `perf report`
    Perf,
    /// What the threads of `sharing` access, in Linux' `perf mem report`
    Mem,
    /// Debian's Linux beneath an example hypervisor: its perf events, on x86 beside what the host has seen
    Guest,
    /// The demo's functions, its threads, and callers, as a flame graph in the target directory
    Flame,
    /// A kernel that is built again by its own profile: its instructions and branches before and after
    Fdo,
}

impl Show {
    fn words(self) -> String {
        let value = self.to_possible_value().expect("no show is hidden from the command line");
        format!("run=demo show={}", value.get_name())
    }
}

/// Boot the kernel for this alone.
///
/// # Errors
/// The processor's kernel has no such run; it cannot be built or booted, or fails.
pub(crate) fn run(chosen: Option<Identity>, show: Show) -> Result<ExitCode> {
    if show == Show::Fdo {
        let is_there = chosen.is_none_or(|identity| identity == fdo::IDENTITY);
        ensure!(is_there, "the kernel that is optimised by its profile is for {}", fdo::IDENTITY);
        return fdo::print().map(|()| ExitCode::SUCCESS);
    }
    let is_precise = matches!(show, Show::Misaligned | Show::Sharing | Show::Mem);
    let identity = chosen.unwrap_or(if is_precise { PRECISE } else { Identity::Skylake });
    ensure!(!is_precise || identity.has_ibs(), "{identity} has no IBS in the kernel; choose {PRECISE}, zen2 or zen4");
    if show == Show::Guest {
        return guest::demo(identity);
    }
    let is_there = match identity.kernel() {
        Kernel::X86 | Kernel::I686 | Kernel::I486 => true,
        Kernel::Aarch64 => matches!(show, Show::Callers | Show::Perf | Show::Every),
        Kernel::Riscv64 => show == Show::Perf && identity.is_read_by_perf(),
        Kernel::Sparc => matches!(show, Show::Cpustat | Show::Cputrack),
        Kernel::Mips64 => matches!(show, Show::Perfex | Show::Every) && identity.has_shows(),
        _ => false,
    };
    ensure!(
        is_there,
        "only the x86 kernel shows all of it, AArch64's shows callers, RISC-V's branches, SPARC's a CPU and its threads, and \
         R10000's perfex; choose one of their processors, not {identity}"
    );
    match show {
        Show::Perf => {
            setup::prepare(&[Need::Perf])?;
            perf::print(&kernel::have(identity)?, identity)?;
        }
        Show::Mem => {
            setup::prepare(&[Need::Perf])?;
            mem::print(&kernel::have(identity)?, identity)?;
        }
        Show::Flame => println!("{}", flame::draw(&kernel::have(identity)?, identity)?.display()),
        _ => print(&kernel::have(identity)?, identity, show)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Print what the kernel prints.
///
/// # Errors
/// It cannot be booted, or fails.
pub(super) fn print(image: &Image, identity: Identity, show: Show) -> Result<()> {
    image.hear(identity, &show.words(), |line| println!("{line}"))
}

/// Boot the kernel for this, or for all of them, and check that each completes and finds its counts correct.
///
/// # Errors
/// It does not.
pub(super) fn prove(image: &Image, identity: Identity, show: Show) -> Result<()> {
    let mut lines = 0;
    image.hear(identity, &show.words(), |_| lines += 1)?;
    ensure!(lines > 0, "the kernel printed nothing");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_told_what_to_show() {
        assert_eq!(Show::Cputrack.words(), "run=demo show=cputrack");
    }
}
