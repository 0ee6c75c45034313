//! Compiles the library for machines that no test kernel is built for.

use std::process::Command;

use anyhow::{Context, Result};

use crate::progress::Step;
use crate::tally::Tally;
use crate::toolchain::Toolchain;
use crate::{place, process};

/// The targets that no test kernel is built for: a kernel's build compiles the library for the others.
const TARGETS: [&str; 3] = [
    "x86_64-unknown-uefi",
    // A host of 32 bits, with SSE2.
    "i686-unknown-linux-gnu",
    // With floats, which the test kernel does without.
    "riscv64gc-unknown-none-elf",
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
    targets.iter().for_each(|target| _ = cargo.args(["--target", target]));
    cargo.arg("--target-dir").arg(place::cross_target());
    cargo
}
