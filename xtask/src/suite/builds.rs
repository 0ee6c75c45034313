//! Compiles the library for bare machines.

use std::process::Command;

use anyhow::{Context, Result};

use crate::progress::Step;
use crate::tally::Tally;
use crate::toolchain::Toolchain;
use crate::{place, process};

/// A target for each kind of bare machine that has a driver.
const TARGETS: [&str; 14] = [
    "x86_64-unknown-none",
    "x86_64-unknown-uefi",
    "linker/i686-pmu-none.json",
    // It has no CMPXCHG8B, and so no 64-bit atomics.
    "linker/i486-pmu-none.json",
    // A host of 32 bits, with SSE2.
    "i686-unknown-linux-gnu",
    "aarch64-unknown-none-softfloat",
    "powerpc64-unknown-linux-musl",
    // It has no 64-bit atomics.
    "powerpc-unknown-linux-musl",
    // Big-endian, with registers of 64 bits.
    "linker/mips64-pmu-none.json",
    // Little-endian, with registers of 32 bits and no 64-bit atomics.
    "mipsel-unknown-none",
    "riscv64gc-unknown-none-elf",
    // Without floats.
    "riscv64imac-unknown-none-elf",
    "riscv32imac-unknown-none-elf",
    "sparc64-unknown-linux-gnu",
];

/// Build for each target.
///
/// First all together, which uses all processors of this machine; then each by itself for its result, with what
/// is built already.
///
/// # Errors
/// No toolchain has the source of `core`, or cargo cannot be started.
pub(super) fn run() -> Result<Tally> {
    let toolchain = Toolchain::find().context("no toolchain has the source of core")?;
    let step = Step::begin(format!("building for {} bare machines at once", TARGETS.len()));
    let outcome = process::run(&mut cargo(toolchain, &TARGETS))?;
    step.end(if outcome.succeeded { "built" } else { "failed" });
    TARGETS.iter().map(|target| build(toolchain, target)).collect()
}

fn build(toolchain: Toolchain, target: &str) -> Result<Tally> {
    let step = Step::begin(format!("building for {target}"));
    let outcome = process::run(&mut cargo(toolchain, &[target]))?;
    step.end(if outcome.succeeded { "built" } else { "failed" });
    if outcome.succeeded {
        return Ok(Tally::pass());
    }
    println!("{}", outcome.complaint());
    Ok(Tally::failure(format!("the library does not compile for {target}")))
}

fn cargo(toolchain: Toolchain, targets: &[&str]) -> Command {
    let mut cargo = toolchain.cargo();
    cargo.current_dir(place::root()).args(["build", "--lib", "-Zbuild-std=core", "--keep-going"]);
    // Only the targets whose assembly is unstable have anything behind it.
    cargo.args(["--features", "nightly"]);
    targets.iter().for_each(|target| _ = cargo.args(["--target", target]));
    cargo.arg("--target-dir").arg(place::cross_target());
    cargo
}
