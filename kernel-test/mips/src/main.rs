//! A kernel that runs the crate's driver on MIPS processors.
//!
//! QEMU has no performance-monitoring unit for them: in kernel mode its register 25 only stores. So the image is two
//! things. As [`host`] it puts a [`guest`] into user mode, where each access to coprocessor 0 traps, and answers from the
//! crate's own [`pmu::virt::Device`]. All other instructions the guest executes at QEMU's full speed. An instruction takes
//! the same time each, so the host counts them by the clock, and Compare interrupts at the very instruction that the host
//! wants to see.
//!
//! The command line chooses: `run=test identity=r10000 test=overflow`, `run=demo`, `run=bench`.

#![no_std]
#![no_main]
#![feature(asm_experimental_arch)]

mod bench;
mod board;
mod demo;
mod guest;
mod host;
mod identity;
mod low;
mod tests;
mod width;

use core::panic::PanicInfo;

use harness::host::Task;
use harness::{CommandLine, Run, Verdict, console, panicked, refuse, start, statics};
use identity::{ALL, PRESENTED, Processor, USUAL};

/// What the boot code calls, once, on the host's stack.
extern "C" fn kernel_entry() -> ! {
    console::open::<guest::Here>(board::print);
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
        Run::Demo => match options.show {
            "" => host::run(Task::Guest(demo::run)),
            "perfex" | "every" => host::run(Task::Guest(demo::perfex::run)),
            show => refuse(format_args!("there is no show {show}")),
        },
        Run::Bench => host::run(Task::Guest(bench::run)),
        Run::Experiment => refuse("the host does not observe misaligned references"),
    }
}
