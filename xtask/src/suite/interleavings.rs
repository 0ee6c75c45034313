//! Tests all interleavings of a thread, the interrupt on its CPU and another CPU.
//!
//! The library's own tests are built again with `--cfg loom`, which replaces the machine's atomics by loom's. Only tests
//! that are written for it run then.

use std::env;

use anyhow::Result;

use super::host;
use crate::progress::Step;
use crate::tally::Tally;
use crate::toolchain::host_cargo;
use crate::{place, process};

/// Test all interleavings.
///
/// # Errors
/// Cargo cannot be started.
pub(super) fn run() -> Result<Tally> {
    let step = Step::begin("interleavings");
    let flags = [env::var("RUSTFLAGS").unwrap_or_default(), "--cfg loom".to_owned()].join(" ");
    let mut cargo = host_cargo();
    cargo.current_dir(place::root()).env("RUSTFLAGS", flags).args(["test", "--lib", "interleavings"]);
    let outcome = process::run(cargo.arg("--target-dir").arg(place::loom_target()))?;
    let tally = host::tally(&outcome).within("interleavings");
    step.end(&tally.to_string());
    if tally.is_good() {
        return Ok(tally);
    }
    println!("{outcome}");
    Ok(if tally.failures().is_empty() { Tally::failure("there were no interleavings to try") } else { tally })
}
