//! Blocks of counters alone: the crate's driver runs on the host, over a block that is simulated beside it (`rtl/blocks`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::cores::QUIET;
use super::{LOST, NOTICED, microwatt};
use crate::machine::Ending;
use crate::program::VERILATOR;
use crate::progress::Step;
use crate::serial::Report;
use crate::tally::Tally;
use crate::toolchain::host_cargo;
use crate::{place, process};

/// A block that was compiled.
pub(super) struct Block {
    name: String,
    /// The program that simulates it.
    program: PathBuf,
    /// What `rtl/blocks` calls its processor.
    processor: String,
    /// The codes of the events that no wire tells of.
    without: Vec<u64>,
}

/// A block in Verilog: the ports of its top are those of `rtl/blocks/example.v`.
#[derive(clap::Args)]
pub(crate) struct Verilog {
    /// The files of the block and of its top
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The module that has the ports of `rtl/blocks/example.v`
    #[arg(long)]
    top: String,
    /// The processor, by its name among the identities of the crate's `riscv::hpm::Identity`
    #[arg(long)]
    processor: String,
    /// The codes of events that the block is not told of
    #[arg(long, value_delimiter = ',')]
    without: Vec<u64>,
}

impl Block {
    /// Compiles Microwatt's unit.
    ///
    /// # Errors
    /// ghdl or the C++ compiler fails.
    pub(super) fn microwatt() -> Result<Self> {
        let name = "microwatt".to_owned();
        Ok(Self { program: microwatt::build_unit()?, processor: name.clone(), name, without: Vec::new() })
    }

    /// Compiles this repository's own block in Verilog.
    ///
    /// # Errors
    /// Verilator or the C++ compiler fails.
    pub(super) fn example() -> Result<Self> {
        let (sources, top) = (vec![own("example.v")], "example".to_owned());
        Self::verilog(&Verilog { sources, top, processor: "c910".to_owned(), without: Vec::new() })
    }

    /// Compiles a block in Verilog, unless that was done with the same files.
    ///
    /// # Errors
    /// A file cannot be read, or verilator or the C++ compiler fails.
    pub(super) fn verilog(block: &Verilog) -> Result<Self> {
        let folder = place::rtl_target().join(format!("block-{}", block.top));
        let (stamp, program) = (folder.join("inputs"), folder.join("simulation"));
        let read = |path: &PathBuf| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let bench = [own("verilog.cpp"), own("commands.h")];
        let inputs = block.sources.iter().chain(&bench).map(read).collect::<Result<Vec<_>>>()?.concat();
        if !fs::read(&stamp).is_ok_and(|before| before == inputs) || !program.is_file() {
            let step = Step::begin(format!("set-up: verilator compiles the block {}", block.top));
            let outcome = process::run(&mut block.command(&folder))?;
            step.end(if outcome.succeeded { "compiled" } else { "failed" });
            ensure!(outcome.succeeded, "the block {} does not compile:\n{}", block.top, outcome.errors);
            fs::write(&stamp, inputs).with_context(|| format!("cannot write {}", stamp.display()))?;
        }
        let (processor, without) = (block.processor.clone(), block.without.clone());
        Ok(Self { name: block.top.clone(), program, processor, without })
    }

    /// Runs all sentences, what is random whole or a sample of it, and the first once more over a block that loses events, which
    /// must fail.
    pub(super) fn show(&self, host: &Path, effort: &str) -> Result<Tally> {
        let step = Step::begin(format!("the driver over the unit of {} alone", self.name));
        let (report, ending) = self.hear(host, None, effort)?;
        let sentences = report.conclude(ending).within(&self.name);
        step.end(&sentences.to_string());
        Ok([sentences, self.fault(host, effort)?].into_iter().collect())
    }

    fn fault(&self, host: &Path, effort: &str) -> Result<Tally> {
        let (report, ending) = self.hear(host, Some(LOST), effort)?;
        let heard = report.conclude(ending);
        let is_noticed = heard.failures().iter().any(|failure| failure.to_string().contains(NOTICED));
        let failure = || Tally::failure(format!("{}: a unit that loses events is not noticed: {heard}", self.name));
        Ok(if is_noticed { Tally::pass() } else { failure() })
    }

    /// With a fault only what counts every event is tried.
    fn hear(&self, host: &Path, lost: Option<&str>, effort: &str) -> Result<(Report, Ending)> {
        let mut command = Command::new(host);
        command.arg(&self.program).arg(&self.processor).env("RUST_BACKTRACE", "0").env("PMU_EFFORT", effort);
        command
            .arg(lost.map_or("", |_| "every_event"))
            .args(self.without.iter().map(u64::to_string))
            .envs(lost.map(|every| ("EVERY", every)));
        let outcome = process::run(&mut command)?;
        let mut report = Report::default();
        outcome.output.lines().for_each(|line| report.hear(line));
        let log = self.program.with_extension(if lost.is_some() { "fault.log" } else { "log" });
        fs::write(&log, &outcome.output).with_context(|| format!("cannot write {}", log.display()))?;
        Ok((report, if outcome.succeeded { Ending::Success } else { Ending::Failed(None) }))
    }
}

impl Verilog {
    /// Inputs that nothing is connected to stay 0.
    fn command(&self, folder: &Path) -> Command {
        let mut verilator = Command::new(VERILATOR.command);
        verilator.args(["--cc", "--exe", "--build", "-O3", "--prefix", "Vblock", "-o", "simulation", "--top-module"]);
        verilator.arg(&self.top).args(QUIET).arg("--Mdir").arg(folder);
        verilator.arg("-CFLAGS").arg(format!("-O1 -std=c++17 -I{}", place::rtl().join("blocks").display()));
        verilator.args(&self.sources).arg(own("verilog.cpp"));
        verilator
    }
}

fn own(file: &str) -> PathBuf {
    place::rtl().join("blocks").join(file)
}

/// Builds the program that drives them. Returns it.
///
/// # Errors
/// It does not compile.
pub(super) fn build_host() -> Result<PathBuf> {
    let step = Step::begin("build what drives the blocks");
    let mut cargo = host_cargo();
    cargo.current_dir(place::root()).args(["build", "--package", "blocks"]);
    let outcome = process::run(&mut cargo)?;
    step.end(if outcome.succeeded { "built" } else { "failed" });
    ensure!(outcome.succeeded, "what drives the blocks does not compile:\n{}", outcome.complaint());
    Ok(place::target().join("debug/blocks"))
}
