//! `cargo xtask fuzz`: libFuzzer searches for inputs that break a device or a parser.
//!
//! libFuzzer continues from inputs that reach new code, which it detects by counters that the compiler adds at every edge.
//! The flags for that are stable. No sanitizer is used, because these inputs reach no `unsafe` code of the library.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{fs, io};

use anyhow::{Context, Result, bail};

use crate::progress::Step;
use crate::setup::{self, Need};
use crate::tally::Tally;
use crate::toolchain::{self, host_cargo};
use crate::{place, process};

/// The compiler flags that add libFuzzer's counters.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// How long to search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    /// This number of inputs, the same ones every time.
    Inputs(u32),
    /// This number of seconds, continuing from what earlier searches have found.
    Seconds(u64),
}

/// Search for an input that breaks this target, or each of them in turn.
///
/// # Errors
/// There is no such target, set-up fails, or cargo cannot be started.
pub(crate) fn run(target: Option<&str>, seconds: u64) -> Result<ExitCode> {
    let mut targets = targets()?;
    if let Some(name) = target {
        if !targets.iter().any(|target| target == name) {
            bail!("there is no fuzz target {name}; the targets are {}", targets.join(", "));
        }
        targets = vec![name.to_owned()];
    }
    let sum = search(&targets, Effort::Seconds(seconds))?;
    println!("{sum}");
    Ok(if sum.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Search for an input that breaks any target.
///
/// # Errors
/// Set-up fails, or cargo cannot be started.
pub(crate) fn run_all(effort: Effort) -> Result<Tally> {
    search(&targets()?, effort)
}

fn targets() -> io::Result<Vec<String>> {
    let files = fs::read_dir(place::fuzz().join("src/targets"))?.map(|entry| entry.map(|entry| entry.path()));
    let mut names: Vec<_> = files.map(|path| path.map(|path| stem(&path))).collect::<Result<_, _>>()?;
    names.sort_unstable();
    Ok(names)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn search(targets: &[String], effort: Effort) -> Result<Tally> {
    setup::prepare(&[Need::CppCompiler])?;
    // Unless a target is named, cargo gives the flags to build scripts too, which cannot have them.
    let host = toolchain::host()?;
    let step = Step::begin("building the fuzz targets");
    let mut cargo = host_cargo();
    cargo.current_dir(place::fuzz()).env("RUSTFLAGS", COVERAGE).args(["build", "--release", "--target", &host]);
    let outcome = process::run(cargo.arg("--target-dir").arg(place::fuzz_target()))?;
    step.end(if outcome.succeeded { "built" } else { "failed" });
    if !outcome.succeeded {
        println!("{}", outcome.complaint());
        return Ok(Tally::failure("the fuzz targets do not compile"));
    }
    let program = place::fuzz_target().join(host).join("release/fuzz");
    targets.iter().map(|target| search_one(&program, target, effort)).collect()
}

/// Searches one target. Inputs that reach new code are kept for the next search, except in searches that are the same
/// every time.
fn search_one(program: &Path, target: &str, effort: Effort) -> Result<Tally> {
    let step = Step::begin(format!("fuzzing {target}"));
    let found = place::fuzz_target().join("found").join(target);
    fs::create_dir_all(&found).with_context(|| format!("cannot make {}", found.display()))?;
    let mut fuzzer = Command::new(program);
    fuzzer.env("FUZZ_TARGET", target).arg(format!("-artifact_prefix={}/", place::fuzz_target().display()));
    let words = place::fuzz().join(target).with_extension("dict");
    if words.exists() {
        fuzzer.arg(format!("-dict={}", words.display()));
    }
    match effort {
        Effort::Inputs(number) => fuzzer.args([format!("-runs={number}"), "-seed=1".to_owned()]),
        Effort::Seconds(seconds) => fuzzer.arg(format!("-max_total_time={seconds}")).arg(found),
    };
    let outcome = process::run(&mut fuzzer)?;
    step.end(if outcome.succeeded { "unbroken" } else { "broken" });
    if outcome.succeeded {
        return Ok(Tally::pass());
    }
    println!("{}", outcome.errors);
    Ok(Tally::failure(format!("an input breaks {target}: it is named above")))
}
