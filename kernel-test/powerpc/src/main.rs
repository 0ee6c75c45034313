//! A kernel that runs the crate's drivers on PowerPC processors, in two worlds.
//!
//! QEMU has a performance-monitoring unit for POWER8, 9 and 10. There the driver runs natively, in
//! supervisor state (the pseries boards) or in hypervisor state (the powernv boards), and is
//! interrupted by real exceptions. But much of that unit is missing: freezes, widths, sampled
//! addresses.
//!
//! So, wherever it can, the image is two things more. As [`host`] it puts a [`guest`] into problem
//! state, where each `mfspr` and `mtspr` of the driver's traps, and answers from the crate's own
//! [`pmu::virt::Device`]: for the same POWERs, and for processors whose unit QEMU does not have. The
//! guest is stepped, so every count is exact, and an overflow interrupts at its very instruction.
//!
//! The command line chooses: `run=test identity=power9 test=overflow`, `run=demo`, `run=bench`.

#![no_std]
#![no_main]

mod bench;
#[cfg(target_pointer_width = "32")]
mod book_e;
mod demo;
mod family;
mod guest;
mod host;
mod identity;
mod low;
mod masking;
mod panic;
mod platform;
mod processor;
mod tests;
mod vectors;
mod width;
mod world;

use harness::{CommandLine, Report, Run, Verdict, console, refuse, start, statics};
use identity::{ALL, Identity, PRESENTED, USUAL};
use platform::Console;

/// What the boot code calls, once, on the host's stack.
extern "C" fn kernel_entry() -> ! {
    platform::prepare();
    console::open::<guest::Here>(platform::print);
    platform::exit(start(platform::command_line(), (ALL, USUAL), &PRESENTED, run))
}

fn run(identity: &'static Identity, options: &CommandLine) -> Verdict {
    statics::remember();
    match options.run {
        Run::Bench if cfg!(not(feature = "bench")) => refuse(harness::bench::LEFT_OUT),
        Run::Test => run_tests(identity, options.filter),
        Run::Demo if identity.is_native() => run_natively(demo::run),
        Run::Demo => host::run_guest(identity, demo::run),
        // The host counts its instructions.
        Run::Bench if identity.is_hosted() => host::run_guest(identity, bench::run),
        Run::Bench => run_natively(bench::run),
        Run::Experiment => refuse("no event that PowerPC's units have here counts misaligned references"),
    }
}

fn run_natively(body: fn()) -> Verdict {
    match guest::run_natively(body) {
        Ok(()) => Verdict::Passed,
        Err(reason) => refuse(reason),
    }
}

fn run_tests(identity: &'static Identity, filter: &str) -> Verdict {
    let mut report = Report::new(Console);
    if identity.is_native() {
        tests::run_natively(filter, &mut report);
    }
    if identity.is_hosted() {
        host::run_tests(identity, filter, &mut report);
    }
    report.conclude()
}
