//! A kernel that runs the crate's driver on LoongArch.
//!
//! QEMU has no performance-monitoring unit for it: at PLV0 the unit's registers read 0. So the image is two things. As
//! [`host`] it puts a [`guest`] into PLV3, where each access to a control and status register traps, and answers from the
//! crate's own [`pmu::virt::Device`]. All other instructions the guest executes at QEMU's full speed. An instruction takes the
//! same time each, so the host counts them by the clock, and the timer interrupts at the very instruction that the host wants
//! to see.
//!
//! CPUCFG and RDTIME.D do not trap. [`low::replace`] puts BREAK in their places before the first guest runs.
//!
//! The command line chooses: `run=test identity=loongson-3a5000 test=overflow`, `run=demo`, `run=bench`.

#![no_std]
#![no_main]

mod assembly;
mod bench;
mod board;
mod demo;
mod guest;
mod host;
mod identity;
mod low;
mod tests;

use core::panic::PanicInfo;

use harness::host::Task;
use harness::{CommandLine, Run, Verdict, console, panicked, refuse, start, statics};
use identity::{ALL, PRESENTED, Processor, USUAL};

/// What the boot code calls, once, on the host's stack.
extern "C" fn kernel_entry() -> ! {
    console::open::<guest::Here>(board::print);
    low::replace();
    board::exit(start(board::command_line(), (ALL, USUAL), &PRESENTED, run))
}

#[panic_handler]
fn panic(panic: &PanicInfo) -> ! {
    panicked::<guest::Here>(panic, board::exit)
}

fn run(_: &Processor, options: &CommandLine) -> Verdict {
    statics::remember();
    match options.run {
        Run::Bench if cfg!(not(feature = "bench")) => refuse(harness::bench::LEFT_OUT),
        Run::Test => host::run(Task::Tests(options.filter)),
        Run::Demo if options.show.is_empty() => host::run(Task::Guest(demo::run)),
        Run::Demo => refuse(format_args!("there is no show {}", options.show)),
        Run::Bench => host::run(Task::Guest(bench::run)),
        Run::Experiment => refuse("the host does not observe misaligned references"),
    }
}
