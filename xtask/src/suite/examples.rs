//! `cargo test` in the folders of the examples, and of a test kernel, as their authors type it.
//!
//! It boots the kernels in QEMU. They must complete and print the expected lines.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::stranger;
use crate::at_once::at_once;
use crate::kernel::Kernel;
use crate::progress::Step;
use crate::setup::Need;
use crate::tally::Tally;
use crate::toolchain::{Toolchain, host_cargo};
use crate::{place, process};

/// An example kernel.
struct Example {
    folder: &'static str,
    /// The test kernel whose tools it needs.
    like: Kernel,
    /// The beginnings of some of its lines, in their order.
    says: &'static [&'static str],
}

const EXAMPLES: [Example; 6] = [
    Example {
        folder: "x86",
        like: Kernel::X86,
        // QEMU has no unit: the error is printed, and a unit in software takes its place.
        says: &[
            "no unit here: register 0xc0010000 reads 0x0 after 0xff00 was written",
            "unit: Intel architectural performance monitoring version 4",
            "counted: 10000 instructions in 10000 cycles",
            "       299    74.94  hot",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 10000 instructions of its own",
            "thread 2: 30000 instructions of its own",
            "slept: 2000 instructions before and after",
            "example: done",
        ],
    },
    Example {
        folder: "aarch64",
        like: Kernel::Aarch64,
        // What the kernel itself executes is counted too; it checks that this is little.
        says: &[
            "unit: Arm PMUv3",
            "counted: 10",
            "       30",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 1",
            "thread 2: 3",
            "slept: 2",
            "cpu 1: came online, counted, went offline",
            "cpu 1: came online, counted, went offline",
            "example: done",
        ],
    },
    Example {
        folder: "loongarch",
        like: Kernel::LoongArch,
        // QEMU has no unit: the error is printed, and a unit in software takes its place.
        says: &[
            "no unit here: this processor has no performance-monitoring unit: CPUCFG announces no performance counters",
            "unit: LA664",
            "counted: 10000 instructions in 10000 cycles",
            "       299    74.94  hot",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 10000 instructions of its own",
            "thread 2: 30000 instructions of its own",
            "slept: 2000 instructions before and after",
            "example: done",
        ],
    },
    Example {
        folder: "powerpc",
        like: Kernel::PowerPc64,
        says: &[
            "unit: POWER9",
            "counted: 10",
            "       30",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 1",
            "thread 2: 3",
            "slept: 2",
            "example: done",
        ],
    },
    Example {
        folder: "riscv",
        like: Kernel::Riscv64,
        // QEMU's own unit, in machine mode.
        says: &[
            "unit: RISC-V in QEMU: 16 general counters of 64 bits, 2 fixed of 64 bits",
            "counted: 10",
            "       30",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 1",
            "thread 2: 3",
            "slept: 2",
            "example: done",
        ],
    },
    Example {
        folder: "riscv-supervisor",
        like: Kernel::Riscv64,
        // QEMU's own unit, in supervisor mode, by calls to its OpenSBI.
        says: &[
            "unit: RISC-V by its firmware: 16 general counters of 64 bits, 18 fixed of 64 bits",
            "counted: 10",
            "       30",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "thread 1: 1",
            "thread 2: 3",
            "slept: 2",
            "firmware: the timer was set 7 times",
            // LCOFI waits while interrupts are off: of the critical section there is no sample.
            "by LCOFI, which waits while interrupts are off:",
            "by the software event, which does not:",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "example: done",
        ],
    },
];

/// Examples in kernels that others wrote, with the library as it is packaged. They have compiler flags of their own, and so a
/// folder of their own to be built in.
const FOREIGN: [Example; 1] = [Example {
    folder: "arceos",
    like: Kernel::Aarch64,
    // Marks count alone what is executed between them, whoever compiles them.
    says: &[
        "cpu 1: 1000 marks in ",
        "cpu 0: 1000 marks in ",
        "asked for: SW_INCR: 2000",
        "asked for: CPU_CYCLES: ",
        "       3",
        "       1",
        "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
        "preempted: 30000 and 10000 marks of their own",
        "sampling: 60000 and 20000 marks of their own",
        "sampling: 30 and 10 samples",
        "moving: 60000 and 20000 marks of their own",
        "every 2000 cycles is too often: ",
        "example: done",
    ],
}];
/// The compiler that their packages take.
const FOREIGN_COMPILER: (u32, u32) = (1, 95);

/// The example's folder that is no kernel, and one of its tests.
const ON_HOST: (&str, &str) = ("rustsbi", "test a_guests_counter_counts_and_interrupts_on_the_nth_event ... ok");

/// One test of the test kernels.
const IN_KERNEL: &str = "a_loop_counts_exactly";

/// Returns the folder of the one that is no kernel.
pub(crate) fn on_host() -> PathBuf {
    place::examples().join(ON_HOST.0)
}

impl Example {
    fn name(&self) -> String {
        name(self.folder)
    }

    fn path(&self) -> PathBuf {
        place::examples().join(self.folder)
    }

    fn is_foreign(&self) -> bool {
        FOREIGN.iter().any(|foreign| foreign.folder == self.folder)
    }

    /// Where it is built: where the test kernel was, with `core` and the library, if its flags are the same.
    fn target_folder(&self) -> PathBuf {
        if self.is_foreign() { place::cross_target().join(self.folder) } else { self.like.target_folder() }
    }

    /// Returns false, and says so, if the compiler is too old for its packages.
    fn is_for(&self, toolchain: Toolchain) -> bool {
        let is_for = !self.is_foreign() || toolchain.version() >= Some(FOREIGN_COMPILER);
        if !is_for {
            let (major, minor) = FOREIGN_COMPILER;
            println!("left out: {}, whose packages take Rust {major}.{minor}", self.name());
        }
        is_for
    }
}

/// Returns the kernels.
fn kernels() -> impl Iterator<Item = &'static Example> {
    EXAMPLES.iter().chain(&FOREIGN)
}

/// Returns the folder of each kernel.
pub(crate) fn all() -> impl Iterator<Item = PathBuf> {
    kernels().map(Example::path)
}

/// Returns the test kernel whose tools each kernel needs, its folder, and where it is built.
pub(crate) fn folders() -> impl Iterator<Item = (Kernel, PathBuf, PathBuf)> {
    kernels().map(|example| (example.like, example.path(), example.target_folder()))
}

/// Returns what is needed to build and boot them.
pub(super) fn needs() -> Vec<Need> {
    kernels().flat_map(|example| example.like.needs()).collect()
}

/// `cargo test` in each folder, and for one test in a test kernel's. Each is a test, and those whose names contain the
/// filter are run.
///
/// # Errors
/// No toolchain has the source of `core`, or cargo cannot be started.
pub(super) fn run(filter: Option<&str>) -> Result<Tally> {
    let toolchain = Toolchain::find().context("no toolchain has the source of core")?;
    let mut in_kernel = cargo(toolchain.cargo(), &Kernel::X86.folder(), &Kernel::X86.target_folder());
    in_kernel.args([IN_KERNEL, "--", "--identity", "skylake"]);
    let (folder, says) = ON_HOST;
    let on_host = cargo(host_cargo(), &on_host(), &place::cross_target().join(folder));
    let mut tests = vec![
        ("the test kernel x86".to_owned(), in_kernel, ["1 passed, 0 failed"].as_slice()),
        (name(folder), on_host, std::slice::from_ref(&says)),
    ];
    let is_wanted = |name: &str| filter.is_none_or(|filter| name.contains(filter));
    for example in kernels().filter(|example| is_wanted(&example.name()) && example.is_for(toolchain)) {
        let folder = if example.is_foreign() { stranger::beside_package(&example.path())? } else { example.path() };
        let cargo = || cargo(toolchain.cargo(), &folder, &example.target_folder());
        set_up(example, cargo())?;
        tests.push((example.name(), cargo(), example.says));
    }
    tests.retain(|(name, ..)| is_wanted(name));
    at_once(tests.into_iter().map(|(name, mut cargo, says)| move || test(&name, &mut cargo, says)))
        .into_iter()
        .collect()
}

fn name(folder: &str) -> String {
    format!("the example {folder}")
}

fn cargo(mut cargo: Command, folder: &Path, target: &Path) -> Command {
    cargo.current_dir(folder).args(["test", "--release", "--target-dir"]).arg(target);
    cargo
}

/// Builds the kernel of others beforehand if it was not built yet, because that takes long. The test tells if it fails.
fn set_up(example: &Example, mut cargo: Command) -> Result<()> {
    if example.is_foreign() && !example.target_folder().exists() {
        let name = example.name();
        let step = Step::begin(format!("set-up: building {name} with its kernel (once, some 220 processor seconds)"));
        let outcome = process::run(cargo.arg("--no-run"))?;
        step.end(if outcome.succeeded { "built" } else { "failed" });
    }
    Ok(())
}

/// Runs `cargo test`, which must succeed, and whose lines must have these beginnings.
fn test(name: &str, cargo: &mut Command, beginnings: &[&str]) -> Result<Tally> {
    let step = Step::begin(format!("cargo test in the folder of {name}"));
    let outcome = process::run(cargo)?;
    let missing = missing(beginnings, &outcome.output);
    let is_good = outcome.succeeded && missing.is_none();
    step.end(if is_good { "succeeded" } else { "failed" });
    if is_good {
        return Ok(Tally::pass());
    }
    println!("{outcome}");
    Ok(Tally::named_failure(name, format!("cargo test in the folder of {name}; missing: {missing:?}")))
}

/// Returns the first of these beginnings that no line has after the line with the previous one.
fn missing<'s>(beginnings: &[&'s str], text: &str) -> Option<&'s str> {
    let mut lines = text.lines();
    beginnings.iter().copied().find(|beginning| !lines.any(|line| line.starts_with(beginning)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_missing_or_comes_too_early_is_named() {
        let text = "counted: 3\nslept\ndone\n";
        assert_eq!(missing(&["counted", "done"], text), None);
        assert_eq!(missing(&["counted", "thread"], text), Some("thread"));
        assert_eq!(missing(&["slept", "counted"], text), Some("counted"));
    }
}
