//! A kernel that runs the crate's drivers on processors made of software.
//!
//! QEMU has no performance-monitoring unit for x86, but it emulates AMD's virtualisation. So this
//! image is two things. As [`host`] it is a tiny hypervisor: it answers the guest's PMU
//! instructions from the crate's own [`pmu::virt::Device`] and delivers its overflow interrupts.
//! As [`guest`] it is an ordinary kernel in which a driver executes real `wrmsr`, `rdmsr`, `rdpmc`
//! and `cpuid` and takes real NMIs, unaware of all that.
//!
//! Under QEMU's instruction clock (`-icount shift=0`) every count is exact, and an overflow
//! interrupts at its very instruction.
//!
//! The command line chooses: `run=test identity=skylake test=overflow`, `run=demo`,
//! `run=demo show=cputrack`, `run=experiment`, `run=bench`.

#![no_std]
#![no_main]

mod bench;
mod boot;
mod catalogue;
mod demo;
mod guest;
mod host;
mod identity;
mod machine_code;
mod tests;
mod trap;
mod width;

use core::panic::PanicInfo;

use harness::host::Task;
use harness::{CommandLine, Run, Verdict, console, panicked, refuse, start};
use identity::{ALL, Identity, PRESENTED, USUAL};

/// What the boot code calls, once, on the host's stack.
fn main(command_line: &str) -> Verdict {
    console::open::<guest::Here>(metal::print);
    start(command_line, (ALL, USUAL), &PRESENTED, run)
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    panicked::<guest::Here>(panic, boot::exit)
}

fn run(identity: &'static Identity, options: &CommandLine) -> Verdict {
    let task = match options.run {
        Run::Bench if cfg!(not(feature = "bench")) => return refuse(harness::bench::LEFT_OUT),
        Run::Test => Task::Tests(options.filter),
        Run::Demo if options.show.is_empty() => Task::Guest(demo::run),
        Run::Demo => match demo::shows::named(options.show) {
            Some(body) => Task::Guest(body),
            None => return refuse(format_args!("show={} is unknown", options.show)),
        },
        Run::Experiment => Task::Guest(demo::run_experiment),
        Run::Bench => Task::Guest(bench::run),
    };
    host::run(identity, task)
}
