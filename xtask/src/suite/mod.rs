//! Does everything hold? `cargo xtask test`: the host's tests, the builds, the proofs and the kernel, counted together.
//!
//! What cannot run counts as a failure, never as nothing; the last line is `N passed, N failed`.

mod boots;
mod builds;
mod host;
mod serial;
mod tally;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;

use crate::identity::Identity;
use crate::proof;
use crate::setup::{self, Need};

pub(crate) use tally::Tally;

/// A part of the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Part {
    /// What cargo test runs here
    Host,
    /// The library, compiled for bare machines
    Builds,
    /// No panic can be reached from the interrupt
    Proofs,
    /// The test kernel, booted once per processor
    Kernel,
}

impl Part {
    fn needs(self) -> &'static [Need] {
        match self {
            Self::Host => &[],
            Self::Builds => &[Need::Compiler],
            Self::Proofs => &[Need::Compiler, Need::Linker],
            Self::Kernel => &Need::ALL,
        }
    }

    fn run(self, selection: &Selection) -> Result<Tally> {
        setup::prepare(self.needs())?;
        match self {
            Self::Host => host::run(selection.filter.as_deref()),
            Self::Builds => builds::run(),
            Self::Proofs => Ok(proof::run()),
            Self::Kernel => boots::run(selection),
        }
    }
}

/// Which tests are wanted.
pub(crate) struct Selection {
    pub(crate) only: Option<Part>,
    pub(crate) identities: Vec<Identity>,
    pub(crate) filter: Option<String>,
    pub(crate) limit: Duration,
}

impl Selection {
    /// A filter names single tests, which builds and proofs are not; an identity concerns the kernel alone.
    fn parts(&self) -> Vec<Part> {
        let all = [Part::Host, Part::Builds, Part::Proofs, Part::Kernel];
        all.into_iter().filter(|part| self.only.is_none_or(|only| only == *part)).collect()
    }
}

/// Run what is selected and print the one line that sums it up.
///
/// # Errors
/// None of its own: a part that cannot run is a failure in the sum.
pub(crate) fn run(selection: &Selection) -> Result<ExitCode> {
    let mut sum = Tally::default();
    for part in selection.parts() {
        match part.run(selection) {
            Ok(tally) => sum.add(&tally),
            Err(error) => sum.add(&Tally::failure(format!("{part:?} could not run: {error:#}").to_lowercase())),
        }
    }
    Ok(conclude(&sum))
}

/// Run one image's tests: the kernel workspace's own `cargo test` ends here.
///
/// # Errors
/// The emulator is missing and cannot be installed, or cannot be started.
pub(crate) fn run_image(image: &Path, identity: Option<Identity>, filter: Option<String>) -> Result<ExitCode> {
    setup::prepare(&[Need::Emulator])?;
    let identities = Identity::chosen(identity);
    let selection = Selection { only: None, identities, filter, limit: crate::machine::TIME_LIMIT };
    Ok(conclude(&boots::run_image(image, &selection)?))
}

fn conclude(sum: &Tally) -> ExitCode {
    for failure in sum.failures() {
        println!("FAILED: {failure}");
    }
    println!("{sum}");
    if sum.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
