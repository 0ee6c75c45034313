//! Real cores, by their makers' hardware descriptions: the crate's driver runs on them, and what it counts is compared with the
//! core's own event wires (`rtl/README.md`).
//!
//! The descriptions are packages that others publish. They are downloaded and compiled below the target folder, once.

mod blocks;
mod cores;
mod microwatt;
mod packages;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use self::blocks::Block;
pub(crate) use self::blocks::Verilog;
use self::cores::Core;
use crate::at_once::at_once;
use crate::kernel::{self, Kernel};
use crate::machine::Ending;
use crate::program::{GHDL, MAKE, PIP, VERILATOR};
use crate::progress::Step;
use crate::serial::Report;
use crate::setup::{self, Need};
use crate::tally::Tally;
use crate::toolchain::Toolchain;
use crate::{place, process};

/// The bench of a verilated core ends a run after so many cycles: the longest takes 3.3 million, as it prints at its end.
const CYCLES: &str = "6000000";
/// One event in so many is taken from a counter of the core, to show that this is noticed.
const LOST: &str = "64";

/// What the part of the tests needs.
pub(crate) fn needs() -> Vec<Need> {
    let programs = [VERILATOR, MAKE, GHDL, PIP].map(Need::Simulation);
    let linking = [Kernel::Riscv32.linking(), Need::Linker(microwatt::LINKER, microwatt::NAME)];
    [Need::Compiler, Need::CppCompiler].into_iter().chain(linking).chain(programs).collect()
}

/// Downloads and compiles the cores. That takes long where it was not done yet, and is no part of the tests.
///
/// # Errors
/// The cores' packages cannot be downloaded, or one does not compile.
pub(crate) fn set_up() -> Result<()> {
    built()?;
    blocks().map(drop)
}

fn built() -> Result<Vec<Simulation>> {
    packages::have()?;
    at_once(Which::all().map(|core| move || core.build())).into_iter().collect()
}

/// Compiles the blocks that stand alone.
fn blocks() -> Result<Vec<Block>> {
    [Block::microwatt(), Block::example()].into_iter().collect()
}

/// A core, by how it is compiled.
#[derive(Clone, Copy)]
enum Which {
    /// By verilator, for a kernel of RISC-V.
    Verilated(&'static Core),
    /// By ghdl, for one of POWER.
    Microwatt,
}

impl Which {
    /// All of them, from the one whose run takes longest on.
    fn all() -> impl Iterator<Item = Self> + Send {
        [Self::Microwatt].into_iter().chain(Core::ALL.iter().map(Self::Verilated))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Verilated(core) => core.name,
            Self::Microwatt => microwatt::NAME,
        }
    }

    fn build(self) -> Result<Simulation> {
        let program = match self {
            Self::Verilated(core) => core.build(),
            Self::Microwatt => microwatt::build(),
        };
        Ok(Simulation { core: self, program: program? })
    }
}

/// Builds the kernels, and runs one on each core. What is random over the blocks alone is tried whole, or a sample of it.
///
/// # Errors
/// As of [`set_up`], or a kernel does not compile.
pub(crate) fn run(effort: &str) -> Result<Tally> {
    let built = built()?;
    let kernels = Kernels { riscv: build_kernel()?, power: microwatt::build_kernel()? };
    let (blocks, host) = (blocks()?, blocks::build_host()?);
    let alone = || blocks.iter().map(|block| block.show(&host, effort)).collect();
    let cores = built.iter().map(|simulation| Box::new(|| simulation.show(&kernels)) as Run<'_>);
    at_once(cores.chain([Box::new(alone) as Run<'_>])).into_iter().collect()
}

/// Compiles a block in Verilog that is on this machine, and runs the crate's driver over it.
///
/// # Errors
/// What simulates it cannot be installed, or it does not compile.
pub(crate) fn run_block(block: &Verilog) -> Result<Tally> {
    setup::prepare(&[Need::CppCompiler, Need::Simulation(VERILATOR), Need::Simulation(MAKE)])?;
    let (block, host) = (Block::verilog(block)?, blocks::build_host()?);
    block.show(&host, "whole")
}

/// What is run at once.
type Run<'a> = Box<dyn FnOnce() -> Result<Tally> + Send + 'a>;

/// Builds the kernel where the test kernel of the same target is, with which it shares `core` and the library.
fn build_kernel() -> Result<PathBuf> {
    let mut cargo = Toolchain::find().context("no toolchain has the source of core")?.cargo();
    cargo.arg("build").arg("--target-dir").arg(Kernel::Riscv32.target_folder());
    kernel::build("the kernel for the cores", &place::rtl_kernel(), cargo)
}

/// The kernels that were built.
struct Kernels {
    riscv: PathBuf,
    power: PathBuf,
}

/// A core that was compiled.
struct Simulation {
    core: Which,
    program: PathBuf,
}

impl Simulation {
    /// Runs the kernel as it is, and on the core with a fault, which must fail.
    fn show(&self, kernels: &Kernels) -> Result<Tally> {
        Ok([self.sentences(kernels)?, self.fault(kernels)?].into_iter().collect())
    }

    fn sentences(&self, kernels: &Kernels) -> Result<Tally> {
        let step = Step::begin(format!("kernel on the core {}", self.core.name()));
        let (report, ending) = self.hear(kernels, None)?;
        let tally = report.conclude(ending).within(self.core.name());
        step.end(&tally.to_string());
        Ok(tally)
    }

    /// If it is not noticed that a counter of the core loses events, nothing that was compared means anything.
    fn fault(&self, kernels: &Kernels) -> Result<Tally> {
        let step = Step::begin(format!(
            "kernel on the core {}, a counter of which loses every {LOST}th event",
            self.core.name()
        ));
        let (report, ending) = self.hear(kernels, Some(LOST))?;
        let heard = report.conclude(ending);
        let is_noticed = heard.failures().iter().any(|failure| failure.to_string().contains(NOTICED));
        step.end(if is_noticed { "noticed" } else { "not noticed" });
        let failure =
            || Tally::failure(format!("{}: a counter that loses events is not noticed: {heard}", self.core.name()));
        Ok(if is_noticed { Tally::pass() } else { failure() })
    }

    fn hear(&self, kernels: &Kernels, lost: Option<&str>) -> Result<(Report, Ending)> {
        let outcome = process::run(&mut self.command(kernels, lost))?;
        let mut report = Report::default();
        outcome.output.lines().for_each(|line| report.hear(line));
        let log = self.program.with_extension(if lost.is_some() { "fault.log" } else { "log" });
        fs::write(&log, outcome.output).with_context(|| format!("cannot write {}", log.display()))?;
        Ok((report, if outcome.succeeded { Ending::Success } else { Ending::Failed(None) }))
    }

    fn command(&self, kernels: &Kernels, lost: Option<&str>) -> Command {
        match self.core {
            Which::Verilated(_) => {
                let mut command = Command::new(&self.program);
                command.arg(&kernels.riscv).arg(CYCLES).args(lost);
                command
            }
            Which::Microwatt => microwatt::command(&self.program, &kernels.power, lost),
        }
    }
}

/// What the kernel says where a count is not the bench's (`rtl/kernel/src/sentences`, `rtl/microwatt/kernel/src/sentences`), and
/// `rtl/blocks` where it is not what the block was told.
const NOTICED: &str = "the crate's count and the core's own wires";
