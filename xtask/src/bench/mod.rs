//! `cargo xtask bench`: the costs of the driver, beside their targets and those of other software.
//!
//! The kernel measures itself and prints
//!
//! ```text
//! figure <name> <value> <unit> <how>
//! accesses <name> <reads> <writes> <reads of counters>
//! calls <name> <calls> <calls that configure> <instructions of the firmware>
//! absent <name> <why>
//! ```
//!
//! where `how` is the way in which the code was called: inline, called, interrupted. The sizes of code, in bytes, are
//! measured here, by linking. Each figure is printed with its target and with what it is compared with.

mod architecture;
mod calls;
mod peers;
mod report;
mod show;
mod targets;
mod text;
mod verdict;

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::identity::Identity;
use crate::kernel::{self, Image, Kernel};
use report::Report;

/// Run the bench and print its figures in columns, one `figure` a line.
///
/// # Errors
/// The kernel or a program whose size is measured cannot be built; the kernel fails, or leaves a figure out.
pub(crate) fn run(identity: Identity) -> Result<ExitCode> {
    let mut report = measured(&kernel::have_bench(identity)?, identity)?;
    if identity.kernel() == Kernel::X86 {
        report.figures.extend(text::figures()?);
    }
    print!("{}", show::table(report, identity));
    Ok(ExitCode::SUCCESS)
}

/// Boot this image's bench, and check that it measures every figure or says why it cannot.
///
/// # Errors
/// It does not.
pub(crate) fn prove(image: &Image, identity: Identity) -> Result<()> {
    measured(image, identity).map(drop)
}

fn measured(image: &Image, identity: Identity) -> Result<Report> {
    let mut report = Report::default();
    image.hear(identity, "run=bench", |line| report.hear(line))?;
    let missing: Vec<_> = targets::measured_by(identity).filter(|name| !report.mentions(name)).collect();
    ensure!(missing.is_empty(), "the kernel leaves figures out: {}", missing.join(", "));
    let unknown: Vec<_> = report.names().filter(|name| !targets::has(identity, name)).collect();
    ensure!(unknown.is_empty(), "nothing is known of figures that the kernel prints: {}", unknown.join(", "));
    Ok(report)
}
