//! A kernel that runs the crate's drivers on SPARC V9 processors, none of whose counters QEMU has.
//!
//! The image is two things. As [`host`] it puts a [`guest`] into user state, where each `rd` and `wr` of the driver's traps,
//! as every privileged instruction does, and answers from the crate's own [`pmu::virt::Device`]. QEMU's clock of
//! instructions says how many of them the guest has retired, and leaves it after as many as the host wants: so every count
//! is exact, and an overflow interrupts at its very instruction. The guest's register windows spill and fill as they do
//! without a host.
//!
//! The command line chooses: `run=test identity=ultrasparc-iii test=overflow`, `run=demo`, `run=bench`.

#![no_std]
#![no_main]
#![feature(asm_experimental_arch)]

mod bench;
mod demo;
mod fresh;
mod guest;
mod host;
mod identity;
mod low;
mod panic;
mod platform;
mod tests;
mod words;
mod world;

use harness::{CommandLine, Report, Run, Verdict};
use identity::Identity;
use platform::{Console, println};

/// What the boot code calls, once, on the host's stack.
extern "C" fn kernel_entry() -> ! {
    platform::prepare();
    platform::exit(main(words::command_line()))
}

fn main(command_line: &str) -> Verdict {
    match CommandLine::parse(command_line) {
        Ok(options) => match options.identity.map_or(Ok(identity::USUAL), Identity::named) {
            Ok(identity) => run(identity, &options),
            Err(problem) => refuse(problem),
        },
        Err(problem) => refuse(problem),
    }
}

fn refuse(problem: impl core::fmt::Display) -> Verdict {
    println!("kernel: {problem}");
    Verdict::Failed
}

fn run(identity: &'static Identity, options: &CommandLine) -> Verdict {
    identity.present();
    fresh::remember();
    match options.run {
        Run::Test => run_tests(identity, options.filter),
        Run::Demo if options.show == "cpustat" => host::run_guest(identity, demo::cpustat::run),
        Run::Demo if options.show == "cputrack" => host::run_guest(identity, demo::cpustat::track),
        Run::Demo if !options.show.is_empty() => refuse("there are cpustat and cputrack to be shown, and nothing else"),
        Run::Demo if !identity.has_interrupts() => refuse("the unit does not interrupt: show=cpustat counts"),
        Run::Demo => host::run_guest(identity, demo::run),
        Run::Bench => host::run_guest(identity, bench::run),
        Run::Experiment => refuse("no event that SPARC's units have here counts misaligned references"),
    }
}

fn run_tests(identity: &'static Identity, filter: &str) -> Verdict {
    let mut report = Report::new(Console);
    host::run_tests(identity, filter, &mut report);
    report.conclude()
}
