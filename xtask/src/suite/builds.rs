//! Compiles the library for machines that no test kernel is built for. rustup brings the `core` of each; Debian's compiler builds it.

use std::process::Command;

use anyhow::{Context, Result};

use crate::progress::Step;
use crate::setup::Need;
use crate::tally::Tally;
use crate::toolchain::Toolchain;
use crate::{place, process};

/// The targets that no test kernel is built for, and cargo's command: a kernel's build compiles the library for the others.
///
/// What a check does not show, beside a build, is assembly that LLVM refuses. So a check is enough where a kernel's build
/// assembles the same text to the same format.
const TARGETS: [(&str, &str); 3] = [
    // Its object files are COFF, for which naked functions are assembled in another way.
    ("x86_64-unknown-uefi", "build"),
    // A host of 32 bits, with SSE2; else as x86's kernel of 32 bits.
    ("i686-unknown-linux-gnu", "check"),
    // With floats; else as RISC-V's kernel of 64 bits.
    ("riscv64gc-unknown-none-elf", "check"),
];

/// A target without compare-and-swap, and what the library says about it.
const REFUSED: (&str, &str) = ("thumbv6m-none-eabi", "pmu needs a processor with compare-and-swap");

/// What is needed to compile for them.
pub(super) fn needs() -> Vec<Need> {
    let targets = TARGETS.iter().chain([&REFUSED]).map(|(target, _)| Need::Target(target));
    [Need::Compiler].into_iter().chain(targets).collect()
}

/// Compile for each target, and for one that the library refuses.
///
/// # Errors
/// No toolchain has the source of `core`, or cargo cannot be started.
pub(super) fn run() -> Result<Tally> {
    let toolchain = Toolchain::find().context("no toolchain has the source of core")?;
    let compiled = TARGETS.iter().map(|(target, command)| compile(toolchain, target, command));
    compiled.chain([refuse(toolchain)]).collect()
}

fn compile(toolchain: Toolchain, target: &str, command: &str) -> Result<Tally> {
    let step = Step::begin(format!("cargo {command} for {target}"));
    let outcome = process::run(&mut cargo(toolchain, target, command))?;
    step.end(if outcome.succeeded { "compiled" } else { "failed" });
    if outcome.succeeded {
        return Ok(Tally::pass());
    }
    println!("{}", outcome.complaint());
    Ok(Tally::failure(format!("the library does not compile for {target}")))
}

/// The library does not compile without compare-and-swap, and gives this one reason.
fn refuse(toolchain: Toolchain) -> Result<Tally> {
    let (target, reason) = REFUSED;
    let step = Step::begin(format!("cargo check for {target}"));
    let outcome = process::run(&mut cargo(toolchain, target, "check"))?;
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

fn cargo(toolchain: Toolchain, target: &str, command: &str) -> Command {
    let mut cargo = toolchain.cargo();
    cargo.current_dir(place::root()).args([command, "--lib", "--target", target]);
    cargo
        .args((!toolchain.has_core(target)).then_some("-Zbuild-std=core"))
        .arg("--target-dir")
        .arg(place::cross_target());
    cargo
}
