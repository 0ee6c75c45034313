//! `cargo xtask demo`: the kernel counts and samples a workload, and the tables are printed here.

mod experiment;
mod fdo;
mod flame;
mod lines;
mod mem;
mod perf;
mod profile;
mod record;
mod render;
mod show;

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::identity::Identity;
use crate::kernel::{self, Image, Kernel};
use crate::symbols::Symbols;
pub(crate) use fdo::READERS_OF_BRANCHES;
use record::Record;
pub(crate) use show::{Show, run as run_show};

/// The processor of the experiment, which finds misaligned references, unless one was chosen.
const EXPERIMENT: Identity = Identity::K8;
/// The processor whose sampling hardware names the instruction, in the same experiment, and the data.
pub(crate) const PRECISE: Identity = Identity::Family10h;

/// Boot the kernel's demo and print the results: on one processor, or on the default one followed by the experiment on
/// an Opteron and on a processor whose sampling hardware names the instruction; then the runs in the layouts of other tools.
///
/// # Errors
/// The kernel cannot be built or booted, fails, or prints something that cannot be parsed.
pub(crate) fn run(chosen: Option<Identity>) -> Result<ExitCode> {
    let first = chosen.unwrap_or(Identity::Skylake);
    let counts_only = !first.has_interrupts() && first.kernel() != Kernel::Sparc;
    ensure!(
        !counts_only,
        "the demo samples, and {first} has no overflow interrupt; `cargo xtask bench` measures how it counts"
    );
    let image = kernel::have(first)?;
    if first.has_interrupts() {
        print(&image, first, "run=demo")?;
    }
    if chosen.is_none() {
        println!();
        print(&image, EXPERIMENT, "run=experiment")?;
        show::print(&image, PRECISE, Show::Misaligned)?;
        show::print(&image, PRECISE, Show::Sharing)?;
    }
    if (first.kernel().is_x86() || first.kernel() == Kernel::Mips64) && first.has_shows() {
        show::print(&image, first, Show::Every)?;
    }
    if first.kernel() == Kernel::Sparc {
        show::print(&image, first, Show::Cpustat)?;
        show::print(&image, first, Show::Cputrack)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(image: &Image, identity: Identity, words: &str) -> Result<()> {
    print!("{}", render::render(&hear(image, identity, words)?, &Symbols::read(&image.path)?));
    Ok(())
}

/// Boot this image's demo, and check that it is complete, that every overflow is accounted for, and that the experiment
/// finds the right function.
///
/// # Errors
/// It is not.
pub(crate) fn prove(image: &Image, identity: Identity) -> Result<()> {
    hear(image, identity, "run=demo").map(drop)
}

/// Boot the kernel, and check that its runs in the layouts of other tools are complete.
///
/// # Errors
/// They are not.
pub(crate) fn prove_shows(image: &Image, identity: Identity) -> Result<()> {
    show::prove(image, identity, Show::Every)
}

/// Boot the kernel, and check that it counts as cpustat and cputrack do.
///
/// # Errors
/// It does not.
pub(crate) fn prove_cpustat(image: &Image, identity: Identity) -> Result<()> {
    show::prove(image, identity, Show::Cpustat)?;
    show::prove(image, identity, Show::Cputrack)
}

/// Boot the kernel, and check that Linux' `perf report` reads its samples correctly.
///
/// # Errors
/// It does not.
pub(crate) fn prove_perf(image: &Image, identity: Identity) -> Result<()> {
    perf::prove(image, identity)
}

/// Boot the kernel, and check that sampling hardware names the instructions and the data of accesses, and that Linux' `perf mem`
/// reads its records.
///
/// # Errors
/// It does not.
pub(crate) fn prove_precise(image: &Image, identity: Identity) -> Result<()> {
    show::prove(image, identity, Show::Misaligned)?;
    show::prove(image, identity, Show::Sharing)?;
    mem::prove(image, identity)
}

/// Boot the kernel, and check that its folded stacks are those of its threads and of their callers, and that they can
/// be drawn.
///
/// # Errors
/// They are not, or cannot.
pub(crate) fn prove_flame(image: &Image, identity: Identity) -> Result<()> {
    flame::prove(image, identity)
}

/// Check that a kernel which is built by its own profile takes fewer branches.
///
/// # Errors
/// It does not.
pub(crate) fn prove_fdo(_: &Image, _: Identity) -> Result<()> {
    fdo::prove()
}

fn hear(image: &Image, identity: Identity, words: &str) -> Result<Record> {
    let mut ear = Ear::default();
    image.hear(identity, words, |text| ear.hear(text))?;
    ear.record()
}

/// The lines that were received from the kernel.
#[derive(Default)]
struct Ear {
    record: Record,
    misread: Vec<String>,
}

impl Ear {
    fn hear(&mut self, text: &str) {
        match lines::parse(text) {
            Ok(Some(line)) => self.record.hear(line),
            Ok(None) => eprintln!("kernel: {text}"),
            Err(error) => self.misread.push(format!("{error:#}")),
        }
    }

    fn record(self) -> Result<Record> {
        ensure!(self.misread.is_empty(), "the kernel's lines cannot be read:\n{}", self.misread.join("\n"));
        self.record.check()?;
        Ok(self.record)
    }
}
