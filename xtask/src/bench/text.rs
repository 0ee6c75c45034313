//! Measures the bytes of code that the library adds to a kernel.
//!
//! A small library uses it in several ways. Each use is linked as a program, from which the linker removes unused code. The
//! size is that of the text section, without constants in read-only data.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection};

use super::report::Figure;
use crate::progress::Step;
use crate::toolchain::Toolchain;
use crate::{place, process};

/// The uses: functions of the library that programs are linked from.
const USES: [&str; 3] = ["counting", "sampling", "detected"];
const TARGET: &str = "x86_64-unknown-none";
const FLAGS: &str = "-C relocation-model=static";
/// The library's profile.
const PROFILE: &str = "weighed";
const CODE: &str = ".text";

/// Returns a figure for each use.
///
/// # Errors
/// The library does not compile or link.
pub(super) fn figures() -> Result<Vec<Figure>> {
    let step = Step::begin("weighing the code");
    let library = build()?;
    let figures = USES.into_iter().map(|root| weigh(&link(&library, root)?, root)).collect();
    step.end("weighed");
    figures
}

fn build() -> Result<PathBuf> {
    let toolchain = Toolchain::find().context("no toolchain has the source of core")?;
    let mut cargo = toolchain.cargo();
    cargo.current_dir(place::text()).env("RUSTFLAGS", FLAGS);
    cargo.args(["build", "--profile", PROFILE, "--target", TARGET, "-Zbuild-std=core"]);
    let outcome = process::run(cargo.arg("--target-dir").arg(place::cross_target()))?;
    ensure!(outcome.succeeded, "the library to be weighed does not compile:\n{}", outcome.complaint());
    Ok(place::cross_target().join(TARGET).join(PROFILE).join("libtext.a"))
}

fn link(library: &Path, root: &str) -> Result<PathBuf> {
    let program = place::cross_target().join(format!("{root}.elf"));
    let mut linker = Command::new("ld");
    linker.args(["--gc-sections", "--entry", root, "--undefined", root, "-o"]).arg(&program).arg(library);
    let outcome = process::run(&mut linker)?;
    ensure!(outcome.succeeded, "ld refuses the use {root}:\n{}", outcome.errors);
    Ok(program)
}

fn weigh(program: &Path, root: &str) -> Result<Figure> {
    let bytes = fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let file = object::File::parse(&*bytes)?;
    let code = file.section_by_name(CODE).with_context(|| format!("{root} has no code"))?;
    let (name, unit, how) = (format!("x86.text.{root}"), "bytes".into(), "linked".into());
    Ok(Figure { name, value: code.size(), unit, how, accesses: None, calls: None })
}
