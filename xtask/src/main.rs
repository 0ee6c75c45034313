//! `cargo xtask <command>`: the commands and their arguments.
//!
//! Every command first has `setup` install what it needs. A test that cannot run fails.

mod api;
mod at_once;
mod bench;
mod cost;
mod demo;
mod events;
mod fuzz;
mod guest;
mod identity;
mod kernel;
mod lint;
mod machine;
mod matrix;
mod mutants;
mod names;
mod oprofile;
mod place;
mod process;
mod program;
mod progress;
mod proof;
mod report;
mod rtl;
mod serial;
mod setup;
mod silence;
mod suite;
mod symbols;
mod table;
mod tally;
mod toolchain;
mod yardstick;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};

use crate::identity::Identity;
use crate::kernel::{Image, Kernel};
use crate::matrix::Extent;
use crate::setup::Need;
use crate::suite::Part;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Set-up, tests, demo and bench of pmu")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run every test: on the host, a little fuzzing, the builds, the no-panic proofs, the kernels in QEMU on every
    /// processor, the examples, Debian's Linux as a guest, and real cores by their hardware descriptions
    Test(TestArguments),
    /// Search for inputs that break a device or a parser
    Fuzz(FuzzArguments),
    /// Change one line of the sources at a time, in a copy, and see that the tests notice
    Mutants(MutantsArguments),
    /// Check format, clippy, documentation and the public paths in every workspace of the repository
    Lint(LintArguments),
    /// Print the library's public paths, and how they differ from docs/public-api.txt
    Api(ApiArguments),
    /// Print how many names of other lists are known, and how that differs from docs/names.md
    Names(NamesArguments),
    /// Boot a kernel, count and sample a workload, print tables with function names
    Demo(DemoArguments),
    /// Boot a kernel, measure the driver, and print each figure with its target and comparison
    Bench(BenchArguments),
    /// Boot a kernel and print its serial port
    Boot(BootArguments),
    /// Run a kernel image's tests on a processor (what `cargo test` in its folder calls)
    Qemu(QemuArguments),
    /// Run the crate's driver over a block of counters in Verilog that is on this machine, beside the device (rtl/README.md)
    Block(rtl::Verilog),
    /// Read the report of a machine's unit that examples/check has written, and say what agrees with the model
    Report {
        /// The file, or a console's text with the report in it
        file: PathBuf,
    },
    /// The tables of events by name
    #[command(subcommand)]
    Events(EventsCommand),
    /// Install what the other commands need, or print what is missing, and compile the packages of others' kernels
    Setup,
}

#[derive(Subcommand)]
enum EventsCommand {
    /// List a processor's events, or show what a text programs, or what a raw code is called
    Show {
        /// The processor, or none to list those that are known
        processor: Option<String>,
        /// A part of names, a code such as `0x1c4`, or a text in libpfm's, cputrack's or OProfile's notation
        what: Option<String>,
    },
    /// Pack the tables, `tables.bin` and `tables.rs`, from the text files beside them
    Generate {
        /// A kernel's own folder with `tables.txt`, instead of all of this repository
        folder: Option<PathBuf>,
    },
    /// Convert OProfile's text files for a processor to lines of such a text file
    Convert {
        /// OProfile's folder for the processor, such as `/usr/share/oprofile/i386/core_2`
        folder: PathBuf,
    },
}

#[derive(clap::Args)]
struct TestArguments {
    /// Only this part of the tests
    #[arg(long, value_enum)]
    only: Option<Part>,
    /// Only this processor, with all of its sentences
    #[arg(long, value_enum)]
    identity: Option<Identity>,
    /// The whole matrix: every processor, with every sentence, and with the whole of each stress
    #[arg(long)]
    all: bool,
    /// Only tests whose name contains this, on the host, in the kernels and among the examples (`the example riscv`)
    #[arg(long, value_name = "FILTER")]
    test: Option<String>,
    /// Seconds for which a kernel may print nothing, not counting those in which QEMU waits for a processor
    #[arg(long, value_name = "SECONDS", default_value_t = machine::SILENCE.as_secs())]
    limit: u64,
}

#[derive(clap::Args)]
struct FuzzArguments {
    /// A file in fuzz/src/targets, instead of each in turn
    target: Option<String>,
    /// Seconds to search in each target
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

#[derive(clap::Args)]
struct LintArguments {
    /// The documentation for every architecture, and not for the host and AArch64 alone
    #[arg(long)]
    all: bool,
}

#[derive(clap::Args)]
struct ApiArguments {
    /// Write the file, whose change is then there to be reviewed
    #[arg(long)]
    write: bool,
}

#[derive(clap::Args)]
struct NamesArguments {
    /// Write the file, whose change is then there to be reviewed
    #[arg(long)]
    write: bool,
    /// Further lists of your own: `perfmon=FOLDER` (Intel's repository), `oprofile=FOLDER` (OProfile's folder `events`),
    /// `likwid=FOLDER` (LIKWID's `src/includes`), `freebsd=FOLDER` and `illumos=FOLDER` (their sources)
    #[arg(value_name = "LIST=FOLDER")]
    lists: Vec<String>,
}

#[derive(clap::Args)]
struct MutantsArguments {
    /// Only mutants whose file or line contains this
    filter: Option<String>,
}

#[derive(clap::Args)]
struct DemoArguments {
    /// Only this run, in the layout of another system's tool
    #[arg(long, value_enum)]
    run: Option<demo::Show>,
    /// The processor to emulate, instead of a Skylake and, for one experiment, an Opteron
    #[arg(long, value_enum)]
    identity: Option<Identity>,
}

#[derive(clap::Args)]
struct BenchArguments {
    /// The processor to emulate
    #[arg(long, value_enum, default_value_t = Identity::Skylake)]
    identity: Identity,
}

#[derive(clap::Args)]
struct BootArguments {
    /// The processor to emulate
    #[arg(long, value_enum, default_value_t = Identity::Skylake)]
    identity: Identity,
    /// Words for the kernel's command line
    #[arg(last = true)]
    append: Vec<String>,
}

#[derive(clap::Args)]
struct QemuArguments {
    /// The folder of its kernel in `kernel-test`
    #[arg(value_enum)]
    kernel: Kernel,
    /// The kernel image, an ELF file
    image: PathBuf,
    /// Only this processor, instead of all of them
    #[arg(long, value_enum)]
    identity: Option<Identity>,
    /// Only tests whose name contains this
    filter: Option<String>,
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Test(arguments) => suite::run(&arguments.into()),
        Command::Fuzz(FuzzArguments { target, seconds }) => fuzz::run(target.as_deref(), seconds),
        Command::Mutants(MutantsArguments { filter }) => mutants::run(filter.as_deref()),
        Command::Lint(LintArguments { all }) => lint::run(all),
        Command::Api(ApiArguments { write }) => api::run(write),
        Command::Names(NamesArguments { write, lists }) => names::run(write, &lists),
        Command::Demo(DemoArguments { identity, run: None }) => demo::run(identity),
        Command::Demo(DemoArguments { identity, run: Some(show) }) => demo::run_show(identity, show),
        Command::Bench(arguments) => bench::run(arguments.identity),
        Command::Boot(arguments) => kernel::boot(arguments.identity, &arguments.append),
        Command::Qemu(arguments) => {
            let image = Image::of(arguments.kernel, arguments.image)?;
            suite::run_image(&image, arguments.identity, arguments.filter)
        }
        Command::Block(block) => rtl::run_block(&block).map(|tally| suite::conclude(&tally)),
        Command::Report { file } => report::run(&file),
        Command::Events(EventsCommand::Show { processor, what }) => events::show(processor.into_iter().chain(what)),
        Command::Events(EventsCommand::Generate { folder }) => events::generate(folder).map(|()| ExitCode::SUCCESS),
        Command::Events(EventsCommand::Convert { folder }) => events::convert::run(&folder).map(|()| ExitCode::SUCCESS),
        Command::Setup => {
            setup::prepare(&all_needs())?;
            rtl::set_up()?;
            suite::examples::set_up(None).map(|()| ExitCode::SUCCESS)
        }
    }
}

/// Returns what all commands together need.
fn all_needs() -> Vec<Need> {
    let kernels = Kernel::value_variants().iter().flat_map(|kernel| kernel.needs());
    let examples = suite::examples::needs();
    kernels
        .chain([Need::CppCompiler, Need::Perf, Need::Profgen, Need::Libpfm, Need::Papi, Need::LinuxSource])
        .chain(rtl::needs())
        .chain(examples)
        .chain(guest::needs(&Extent::Whole.identities(None)))
        .collect()
}

impl From<TestArguments> for suite::Selection {
    fn from(arguments: TestArguments) -> Self {
        let extent = Extent::of(arguments.all, arguments.identity);
        Self {
            only: arguments.only,
            identities: extent.identities(arguments.identity),
            extent,
            filter: arguments.test,
            limit: Duration::from_secs(arguments.limit),
        }
    }
}
