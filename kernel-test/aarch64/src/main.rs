//! A kernel that runs the crate's drivers on Arm's 64-bit processors.
//!
//! QEMU has PMUv3, so here drivers drive a unit that nobody of this crate wrote. The image boots at
//! EL2, and there its [`host`] runs the [`kernel`] that is tested in three worlds: at EL1 on QEMU's
//! unit, at EL2 on QEMU's unit, and at EL1 on the crate's own [`pmu::virt::Device`], to which the
//! host takes every access that the kernel's real instructions make.
//!
//! Under QEMU's instruction clock (`-icount shift=0`) a cycle is an instruction and every count is
//! exact.
//!
//! The command line chooses: `run=test identity=cortex-a57 test=overflow`, `run=demo`,
//! `run=demo show=callers`, `run=demo show=perf`, `run=bench`.

#![no_std]
#![no_main]

mod bench;
mod boot;
mod cpus;
mod demo;
mod gic;
mod guest;
mod host;
mod identity;
mod panic;
mod system;
mod tests;
mod trap;

use harness::{CommandLine, Run, Verdict, console, refuse};

/// What the boot code calls, once, at EL2 and on the host's stack.
fn main() -> Verdict {
    console::open::<guest::Here>(metal::print);
    host::prepare_cpu(0);
    match CommandLine::parse(metal::command_line()) {
        Ok(options) => run(&options),
        Err(problem) => refuse(problem),
    }
}

/// What it calls on a CPU that was woken.
fn main_of_another(cpu: usize) -> ! {
    host::prepare_cpu(cpu);
    host::run_woken(cpu)
}

fn run(options: &CommandLine) -> Verdict {
    if let Err(problem) = identity::check(options.identity) {
        return refuse(problem);
    }
    options.effort.choose();
    match options.run {
        Run::Bench if cfg!(not(feature = "bench")) => refuse(harness::bench::LEFT_OUT),
        Run::Test => host::run_tests(options.filter),
        Run::Demo => demo::show(options.show),
        Run::Bench => host::run_kernel(bench::run),
        Run::Experiment => refuse("run=experiment is x86's: QEMU's Arm unit counts no misaligned references"),
    }
}
