//! A kernel that runs the crate's drivers on RISC-V.
//!
//! QEMU has a unit, so here drivers drive one that nobody of this crate wrote. The image runs in machine mode, or a stub of
//! its own delegates the counters and everything runs in supervisor mode: the tests run in the mode of the kernel that they
//! test, and nobody is beneath. Or the kernel is a guest in user mode, where each access to the unit traps, and a [`host`] in
//! machine mode answers from the crate's own [`pmu::virt::Device`], keeps a book, and interrupts at any instruction. Which of
//! them it is, the processor's name says ([`identity`]).
//!
//! Under QEMU's instruction clock (`-icount shift=0`) a cycle is an instruction and every count is exact.
//!
//! The command line chooses: `identity=rv64-m run=test test=overflow`, `run=demo`, `run=bench`.

#![no_std]
#![no_main]

mod bench;
mod board;
mod boot;
mod csr;
mod demo;
mod guest;
mod host;
mod identity;
mod preserved;
mod run;
mod tests;
mod width;

use harness::host::Task;
use harness::{CommandLine, Run, Verdict, by_width, console, refuse};

/// What the boot code calls, in the mode that the kernel runs in.
fn main() -> Verdict {
    console::open::<tests::Here>(metal::print);
    match CommandLine::parse(board::command_line()) {
        Ok(options) => act(&options),
        Err(problem) => refuse(problem),
    }
}

fn act(options: &CommandLine) -> Verdict {
    options.effort.choose();
    // The host presents none of 32 bits.
    let present = by_width!(identity::find().and_then(identity::Identity::unit), None);
    match options.run {
        Run::Bench if cfg!(not(feature = "bench")) => refuse(harness::bench::LEFT_OUT),
        Run::Test | Run::Bench | Run::Demo if present.is_some() => {
            let task = match options.run {
                Run::Test => Task::Tests(options.filter),
                Run::Bench => Task::Guest(bench::run),
                _ => Task::Guest(demo::run),
            };
            present.map_or(Verdict::Failed, |unit| host::run(unit, task))
        }
        Run::Test => run::tests(options.filter),
        Run::Demo if options.show.is_empty() => run::alone(demo::run),
        Run::Demo if options.show == "perf" && identity::present().has_records() => run::alone(demo::branches::stream),
        Run::Demo => {
            refuse(format_args!("show={} is unknown here; there is perf where the hart records branches", options.show))
        }
        Run::Bench => run::alone(bench::run),
        Run::Experiment => refuse("run=experiment is x86's: QEMU's unit counts no misaligned references"),
    }
}
