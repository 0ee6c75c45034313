//! Real cores, by their makers' hardware descriptions: the crate's driver runs on them, and what it counts is compared with the
//! core's own event wires (`rtl/README.md`).
//!
//! The descriptions are packages that others publish. They are downloaded and compiled below the target folder, once.

mod cores;
mod packages;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use self::cores::Core;
use crate::at_once::at_once;
use crate::kernel::{self, Kernel};
use crate::machine::Ending;
use crate::program::{MAKE, PIP, VERILATOR};
use crate::progress::Step;
use crate::serial::Report;
use crate::setup::Need;
use crate::tally::Tally;
use crate::toolchain::Toolchain;
use crate::{place, process};

/// The bench ends a run after so many cycles: the longest takes 3.3 million, as it prints at its end.
const CYCLES: &str = "6000000";
/// One event in so many is taken from a counter of the core, to show that this is noticed.
const LOST: &str = "64";

/// What the part of the tests needs.
pub(crate) fn needs() -> Vec<Need> {
    let kernel = Kernel::Riscv32;
    let programs = [VERILATOR, MAKE, PIP].map(Need::Simulation);
    [Need::Compiler, Need::CppCompiler, kernel.linking()].into_iter().chain(programs).collect()
}

/// Downloads and compiles the cores. That takes long where it was not done yet, and is no part of the tests.
///
/// # Errors
/// The cores' packages cannot be downloaded, or one does not compile.
pub(crate) fn set_up() -> Result<()> {
    built().map(drop)
}

fn built() -> Result<Vec<Simulation>> {
    packages::have()?;
    at_once(Core::ALL.iter().map(|core| || core.build())).into_iter().collect()
}

/// Builds the kernel, and runs it on each core.
///
/// # Errors
/// As of [`set_up`], or the kernel does not compile.
pub(crate) fn run() -> Result<Tally> {
    let (built, kernel) = (built()?, build_kernel()?);
    let runs = built.iter().map(|simulation| || simulation.show(&kernel));
    at_once(runs).into_iter().collect()
}

/// Builds the kernel where the test kernel of the same target is, with which it shares `core` and the library.
fn build_kernel() -> Result<PathBuf> {
    let mut cargo = Toolchain::find().context("no toolchain has the source of core")?.cargo();
    cargo.arg("build").arg("--target-dir").arg(Kernel::Riscv32.target_folder());
    kernel::build("the kernel for the cores", &place::rtl_kernel(), cargo)
}

/// A core that was compiled.
struct Simulation {
    core: &'static Core,
    program: PathBuf,
}

impl Simulation {
    /// Runs the kernel as it is, and on the core with a fault, which must fail.
    fn show(&self, kernel: &Path) -> Result<Tally> {
        Ok([self.sentences(kernel)?, self.fault(kernel)?].into_iter().collect())
    }

    fn sentences(&self, kernel: &Path) -> Result<Tally> {
        let step = Step::begin(format!("kernel on the core {}", self.core.name));
        let (report, ending) = self.hear(kernel, None)?;
        let tally = report.conclude(ending).within(self.core.name);
        step.end(&tally.to_string());
        Ok(tally)
    }

    /// If it is not noticed that a counter of the core loses events, nothing that was compared means anything.
    fn fault(&self, kernel: &Path) -> Result<Tally> {
        let step = Step::begin(format!(
            "kernel on the core {}, a counter of which loses every {LOST}th event",
            self.core.name
        ));
        let (report, ending) = self.hear(kernel, Some(LOST))?;
        let heard = report.conclude(ending);
        let is_noticed = heard.failures().iter().any(|failure| failure.to_string().contains(NOTICED));
        step.end(if is_noticed { "noticed" } else { "not noticed" });
        let failure =
            || Tally::failure(format!("{}: a counter that loses events is not noticed: {heard}", self.core.name));
        Ok(if is_noticed { Tally::pass() } else { failure() })
    }

    fn hear(&self, kernel: &Path, lost: Option<&str>) -> Result<(Report, Ending)> {
        let outcome = process::run(Command::new(&self.program).arg(kernel).arg(CYCLES).args(lost))?;
        let mut report = Report::default();
        outcome.output.lines().for_each(|line| report.hear(line));
        let log = self.program.with_extension(if lost.is_some() { "fault.log" } else { "log" });
        fs::write(&log, outcome.output).with_context(|| format!("cannot write {}", log.display()))?;
        Ok((report, if outcome.succeeded { Ending::Success } else { Ending::Failed(None) }))
    }
}

/// What the kernel says where a count is not the bench's (`rtl/kernel/src/sentences`).
const NOTICED: &str = "the crate's count and the core's own wires";
