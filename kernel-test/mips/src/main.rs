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
mod fresh;
mod guest;
mod host;
mod identity;
mod low;
mod panic;
mod tests;
mod width;

use board::{Console, println};
use harness::{CommandLine, Report, Run, Verdict};
use identity::Identity;

/// What the boot code calls, once, on the host's stack.
extern "C" fn kernel_entry() -> ! {
    board::exit(main(board::command_line()))
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
        Run::Test => {
            let mut report = Report::new(Console);
            host::run_tests(options.filter, &mut report);
            report.conclude()
        }
        Run::Demo => match options.show {
            "" => host::run_guest(demo::run),
            "perfex" | "every" => host::run_guest(demo::perfex::run),
            show => refuse(format_args!("there is no show {show}")),
        },
        Run::Bench => host::run_guest(bench::run),
        Run::Experiment => refuse("the host does not observe misaligned references"),
    }
}
