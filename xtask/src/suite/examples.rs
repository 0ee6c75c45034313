//! `cargo test` in the folders of the examples, and of a test kernel, as their authors type it.
//!
//! It boots the kernels in QEMU. They must complete and print the expected lines.

use std::collections::BTreeSet;
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
    /// The kernel of others that it is in, if it is none of its own.
    within: Option<Foreign>,
    /// The beginnings of some of its lines, in their order.
    says: &'static [&'static str],
}

/// A kernel that others wrote. The example in it has compiler flags of its own, and so a folder of its own to be built in, and
/// the library as it is packaged.
struct Foreign {
    /// Its package, which is compiled with all that it depends on before the tests.
    package: &'static str,
    target: &'static str,
    /// The compiler that the packages take, and the processor seconds that it takes for them.
    compiler: (u32, u32),
    cost: u32,
}

const EXAMPLES: [Example; 8] = [
    Example {
        folder: "x86",
        like: Kernel::X86,
        within: None,
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
        within: None,
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
        within: None,
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
        within: None,
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
        within: None,
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
        within: None,
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
    Example {
        folder: "arceos",
        like: Kernel::Aarch64,
        within: Some(arceos("aarch64-unknown-none-softfloat")),
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
    },
    Example {
        folder: "arceos",
        like: Kernel::Riscv64,
        within: Some(arceos("riscv64gc-unknown-none-elf")),
        // By calls to QEMU's OpenSBI, and its software event. Marks are the firmware's, which has them for each hart.
        says: &[
            "cpu 1: 1000 marks in ",
            "cpu 0: 1000 marks in ",
            "asked for: FW_FENCE_I_SENT: 2000",
            "asked for: HW_CPU_CYCLES: ",
            "       3",
            "       1",
            "lost: 0 ring full, 0 outrun, 0 stopped, 0 throttled",
            "preempted: 30000 and 10000 marks of their own",
            "sampling: ",
            "sampling: ",
            "moving: 60 and 20 marks of their own",
            "every 2000 cycles is too often: ",
            "example: done",
        ],
    },
];

/// ArceOS for this target.
const fn arceos(target: &'static str) -> Foreign {
    Foreign { package: "ax-runtime", target, compiler: (1, 95), cost: 240 }
}

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
        let target = self.within.as_ref().map(|foreign| format!(" for {}", foreign.target));
        name(self.folder) + &target.unwrap_or_default()
    }

    fn path(&self) -> PathBuf {
        place::examples().join(self.folder)
    }

    /// Where it is built: where the test kernel was, with `core` and the library, if its flags are the same.
    fn target_folder(&self) -> PathBuf {
        if self.within.is_some() { place::cross_target().join(self.folder) } else { self.like.target_folder() }
    }

    /// Returns what cargo is told beside the target folder.
    fn target(&self) -> Option<[&'static str; 2]> {
        self.within.as_ref().map(|foreign| ["--target", foreign.target])
    }

    /// Returns cargo, which is to do this in that folder.
    fn cargo(&self, toolchain: Toolchain, command: &str, folder: &Path) -> Command {
        let mut cargo = cargo(toolchain.cargo(), command, folder, &self.target_folder());
        cargo.args(self.target().iter().flatten());
        cargo
    }

    /// Returns false if the compiler is too old for its packages.
    fn is_for(&self, toolchain: Toolchain) -> bool {
        self.within.as_ref().is_none_or(|foreign| toolchain.version() >= Some(foreign.compiler))
    }
}

/// Returns the folders of the kernels, each once.
pub(crate) fn all() -> BTreeSet<PathBuf> {
    EXAMPLES.iter().map(Example::path).collect()
}

/// Returns the test kernel whose tools each kernel needs, its folder, where it is built, and for which target if its folder
/// has several.
pub(crate) fn folders() -> impl Iterator<Item = (Kernel, PathBuf, PathBuf, Option<[&'static str; 2]>)> {
    EXAMPLES.iter().map(|example| (example.like, example.path(), example.target_folder(), example.target()))
}

/// Returns what is needed to build and boot them.
pub(super) fn needs() -> Vec<Need> {
    EXAMPLES.iter().flat_map(|example| example.like.needs()).collect()
}

/// Compiles the packages of others' kernels for the tests whose names contain the filter. That takes long where they are not
/// compiled yet, and is no part of the tests.
///
/// # Errors
/// No toolchain has the source of `core`, or cargo cannot be started.
pub(crate) fn set_up(filter: Option<&str>) -> Result<()> {
    let toolchain = toolchain()?;
    for example in EXAMPLES.iter().filter(|example| is_wanted(&example.name(), filter) && example.is_for(toolchain)) {
        let Some(Foreign { package, cost, .. }) = example.within else { continue };
        let name = example.name();
        let title = format!("set-up: the packages of {name} (some {cost} processor seconds unless they are compiled)");
        let step = Step::begin(title);
        let outcome = process::run(example.cargo(toolchain, "build", &example.path()).args(["--package", package]))?;
        step.end(if outcome.succeeded { "compiled" } else { "failed, as the test will tell" });
    }
    Ok(())
}

/// `cargo test` in each folder, and for one test in a test kernel's. Each is a test, and those whose names contain the
/// filter are run.
///
/// # Errors
/// No toolchain has the source of `core`, or cargo cannot be started.
pub(super) fn run(filter: Option<&str>) -> Result<Tally> {
    let toolchain = toolchain()?;
    let mut in_kernel = cargo(toolchain.cargo(), "test", &Kernel::X86.folder(), &Kernel::X86.target_folder());
    in_kernel.args([IN_KERNEL, "--", "--identity", "skylake"]);
    let (folder, says) = ON_HOST;
    let on_host = cargo(host_cargo(), "test", &on_host(), &place::cross_target().join(folder));
    let mut tests = vec![
        ("the test kernel x86".to_owned(), in_kernel, ["1 passed, 0 failed"].as_slice()),
        (name(folder), on_host, std::slice::from_ref(&says)),
    ];
    for example in EXAMPLES.iter().filter(|example| is_wanted(&example.name(), filter)) {
        if !example.is_for(toolchain) {
            println!("left out: {}, whose packages take a newer compiler", example.name());
            continue;
        }
        let is_foreign = example.within.is_some();
        let folder = if is_foreign { stranger::beside_package(&example.path())? } else { example.path() };
        tests.push((example.name(), example.cargo(toolchain, "test", &folder), example.says));
    }
    tests.retain(|(name, ..)| is_wanted(name, filter));
    at_once(tests.into_iter().map(|(name, mut cargo, says)| move || test(&name, &mut cargo, says)))
        .into_iter()
        .collect()
}

fn is_wanted(name: &str, filter: Option<&str>) -> bool {
    filter.is_none_or(|filter| name.contains(filter))
}

fn name(folder: &str) -> String {
    format!("the example {folder}")
}

fn toolchain() -> Result<Toolchain> {
    Toolchain::find().context("no toolchain has the source of core")
}

fn cargo(mut cargo: Command, command: &str, folder: &Path, target: &Path) -> Command {
    cargo.current_dir(folder).args([command, "--release", "--target-dir"]).arg(target);
    cargo
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
