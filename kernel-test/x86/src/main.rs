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
mod console;
mod demo;
mod guest;
mod host;
mod identity;
mod machine_code;
mod panic;
mod tests;
mod trap;
mod width;

use console::println;
use harness::{CommandLine, Run, Verdict};
use identity::Identity;

/// What the boot code calls, once, on the host's stack.
fn main(command_line: &str) -> Verdict {
    let options = match CommandLine::parse(command_line) {
        Ok(options) => options,
        Err(problem) => {
            println!("kernel: {problem}");
            return Verdict::Failed;
        }
    };
    match options.identity.map_or(Ok(identity::USUAL), Identity::named) {
        Ok(identity) => run(identity, &options),
        Err(problem) => {
            println!("kernel: {problem}");
            Verdict::Failed
        }
    }
}

fn run(identity: &'static Identity, options: &CommandLine) -> Verdict {
    options.effort.choose();
    match options.run {
        Run::Test => host::run_tests(identity, options.filter),
        Run::Demo => run_demo(identity, options.show),
        Run::Experiment => host::run_guest(identity, demo::run_experiment),
        Run::Bench => host::run_guest(identity, bench::run),
    }
}

fn run_demo(identity: &'static Identity, show: &str) -> Verdict {
    if show.is_empty() {
        return host::run_guest(identity, demo::run);
    }
    match demo::shows::named(show) {
        Some(body) => host::run_guest(identity, body),
        None => {
            println!("kernel: show={show} is unknown");
            Verdict::Failed
        }
    }
}
