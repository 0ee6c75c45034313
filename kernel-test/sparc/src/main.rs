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
mod frame;
mod guest;
mod host;
mod identity;
mod low;
mod platform;
mod tests;

use core::panic::PanicInfo;

use harness::host::Task;
use harness::{CommandLine, Run, Verdict, console, panicked, refuse, start, statics};
use host::Seen;
use identity::{ALL, Identity, PRESENTED, USUAL};

/// What the boot code calls, once, on the host's stack.
extern "C" fn kernel_entry() -> ! {
    platform::prepare();
    console::open::<guest::Here>(platform::print);
    platform::exit(start(platform::command_line(), (ALL, USUAL), &PRESENTED, run))
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    panicked::<guest::Here>(panic, platform::exit)
}

fn run(identity: &Identity, options: &CommandLine) -> Verdict {
    statics::remember();
    match options.run {
        Run::Bench if cfg!(not(feature = "bench")) => refuse(harness::bench::LEFT_OUT),
        Run::Test => host::run(Task::Tests(options.filter), Seen::All),
        Run::Demo => match options.show {
            "" if !identity.has_interrupts() => refuse("the unit does not interrupt: show=cpustat counts"),
            "" => host::run(Task::Guest(demo::run), Seen::Nothing),
            "cpustat" => host::run(Task::Guest(demo::cpustat::run), Seen::Cache),
            "cputrack" => host::run(Task::Guest(demo::cpustat::track), Seen::Cache),
            show => refuse(format_args!("there are cpustat and cputrack to be shown, and no {show}")),
        },
        Run::Bench => host::run(Task::Guest(bench::run), Seen::Nothing),
        Run::Experiment => refuse("no event that SPARC's units have here counts misaligned references"),
    }
}
