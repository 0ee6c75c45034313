//! Drives a block of counters from a processor's hardware description, which is simulated beside it.
//!
//! ```text
//! blocks PROGRAM PROCESSOR [FILTER [CODE...]]
//! ```
//! PROGRAM simulates the block, and is told what to do by commands (`commands.h`). PROCESSOR is `microwatt`, or a name among the
//! identities of [`pmu::arch::riscv::hpm::Identity`]. FILTER is a part of the names of the sentences to run, and
//! events with a CODE are left out. Each sentence has a simulation of its own. The lines that are printed are
//! those of the test kernels.

mod block;
#[path = "../../../tests/support/effort.rs"]
mod effort;
mod machine;
mod power;
mod riscv;

use std::env;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::process::ExitCode;

/// A sentence with its name, of which it is told how the simulation is started.
type Sentence = (String, Box<dyn FnOnce() + std::panic::UnwindSafe>);

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let (Some(program), Some(processor)) = (arguments.next().map(PathBuf::from), arguments.next()) else {
        eprintln!("usage: blocks PROGRAM PROCESSOR [FILTER [CODE...]]");
        return ExitCode::FAILURE;
    };
    let filter = arguments.next().unwrap_or_default().into_string().unwrap_or_default();
    let without: Vec<u64> =
        arguments.map(|code| code.to_str().and_then(|code| code.parse().ok()).expect("a code")).collect();
    let mut sentences = match processor.to_str() {
        Some("microwatt") => power::sentences(&program),
        other => riscv::sentences(&program, other.unwrap_or_default(), &without),
    };
    sentences.retain(|(name, _)| name.contains(&filter));
    let results = sentences.into_iter().map(|(name, sentence)| {
        let passed = catch_unwind(sentence).map_err(|panic| reason(&*panic));
        println!(
            "test {name} ... {}",
            passed.as_ref().map_or_else(|why| format!("FAILED: {why}"), |()| "ok".to_owned())
        );
        passed.is_ok()
    });
    let (passed, failed): (Vec<bool>, Vec<bool>) = results.partition(|&passed| passed);
    println!("kernel: {} passed, {} failed", passed.len(), failed.len());
    if failed.is_empty() && !passed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns what a panic says, in a line.
fn reason(panic: &dyn std::any::Any) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
    text.unwrap_or("a panic").lines().collect::<Vec<_>>().join(" ")
}
