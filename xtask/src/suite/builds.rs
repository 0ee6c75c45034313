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

/// A target without compare-and-swap, and what the library says about it.
const REFUSED: (&str, &str) = ("thumbv6m-none-eabi", "pmu needs a processor with compare-and-swap");

/// Build for each target, and for one that the library refuses.
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
    let built = TARGETS.iter().map(|target| build(toolchain, target));
    built.chain([refuse(toolchain)]).collect()
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

/// The library does not compile without compare-and-swap, and gives this one reason.
fn refuse(toolchain: Toolchain) -> Result<Tally> {
    let (target, reason) = REFUSED;
    let step = Step::begin(format!("building for {target}"));
    let outcome = process::run(&mut cargo(toolchain, &[target]))?;
    let complaint = outcome.complaint();
    let is_refused =
        complaint.starts_with(&format!("error: {reason}")) && complaint.contains("due to 1 previous error");
    step.end(if is_refused { "refused" } else { "not refused as it should be" });
    if is_refused {
        return Ok(Tally::pass());
    }
    println!("{complaint}");
    Ok(Tally::failure(format!("the library does not say alone that {target} has no compare-and-swap")))
}

fn cargo(toolchain: Toolchain, targets: &[&str]) -> Command {
    let mut cargo = toolchain.cargo();
    cargo.current_dir(place::root()).args(["build", "--lib", "-Zbuild-std=core", "--keep-going"]);
    targets.iter().for_each(|target| _ = cargo.args(["--target", target]));
    cargo.arg("--target-dir").arg(place::cross_target());
    cargo
}
