//! Microwatt, of POWER, which is described in VHDL: ghdl compiles it to a program that simulates it.
//!
//! ghdl's LLVM back end alone links what is written in C, and its own translation to Verilog executes wrongly in verilator.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::packages;
use crate::kernel::{self, powerpc};
use crate::program::{CPP_COMPILER, GHDL, Program};
use crate::progress::Step;
use crate::toolchain::Toolchain;
use crate::{place, process};

/// Its name, and that of its folder in `rtl`.
pub(super) const NAME: &str = "microwatt";
/// The linker of its kernel, which is little-endian as the core's exceptions are.
pub(super) const LINKER: Program = powerpc::LINKER_64;
/// The bench ends a run after so many cycles. It simulates some 1,000 in a second.
pub(super) const CYCLES: &str = "100000";

const SOURCES: &str = "pythondata_cpu_microwatt/vhdl";
/// The core's files, in the order in which they need each other.
const FILES: &str = "decode_types common wishbone_types utils helpers nonrandom fetch1 plrufn cache_ram icache predecode decode1 \
    insn_helpers control decode2 register_file cr_file crhelpers ppc_fx_insns rotator logical countbits multiply multiply-32s \
    divider execute1 loadstore1 mmu dcache writeback core_debug core fpu pmu";

/// Compiles it, unless that was done with the same files. Returns the program.
///
/// # Errors
/// ghdl or the C++ compiler fails; the error has its output.
pub(super) fn build() -> Result<PathBuf> {
    let folder = place::rtl_target().join(NAME);
    let (stamp, program, inputs) = (folder.join("inputs"), folder.join("top"), inputs()?);
    if fs::read_to_string(&stamp).is_ok_and(|before| before == inputs) && program.is_file() {
        return Ok(program);
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let step = Step::begin(format!("set-up: ghdl compiles the core {NAME} (some 30 CPU s)"));
    let built = compile(&folder);
    step.end(if built.is_ok() { "compiled" } else { "failed" });
    built?;
    fs::write(&stamp, inputs).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(program)
}

/// Returns all that a compilation depends on.
fn inputs() -> Result<String> {
    let files = [own("top.vhdl"), own("bench.cpp"), place::rtl().join(packages::LIST)];
    let read = |path: &PathBuf| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    Ok([files.iter().map(read).collect::<Result<String>>()?, FILES.to_owned()].concat())
}

fn own(file: &str) -> PathBuf {
    place::rtl().join(NAME).join(file)
}

fn compile(folder: &Path) -> Result<()> {
    let mut bench = Command::new(CPP_COMPILER.command);
    bench.current_dir(folder).args(["-O2", "-c", "-o", "bench.o"]).arg(own("bench.cpp"));
    must(&mut bench)?;
    let mut ghdl = Command::new(GHDL.command);
    ghdl.current_dir(folder).args(["-c", "--std=08", "-O2", "-Wl,bench.o", "-Wl,-lstdc++"]);
    for file in FILES.split_whitespace().map(|name| format!("{name}.vhdl")) {
        let from = packages::folder().join(SOURCES).join(&file);
        let text = fs::read_to_string(&from).with_context(|| format!("cannot read {}", from.display()))?;
        fs::write(folder.join(&file), without_reports(&text)).with_context(|| format!("cannot write {file}"))?;
        ghdl.arg(file);
    }
    // The unit's second architecture stands in for its own, as the one that is compiled last.
    must(ghdl.arg(own("top.vhdl")).args(["-e", "top"]))
}

fn must(command: &mut Command) -> Result<()> {
    let outcome = process::run(command)?;
    ensure!(outcome.succeeded, "the core {NAME} does not compile:\n{outcome}");
    Ok(())
}

/// Removes the statements that print what the core does in a cycle, which cost as much as the cycle. Those that end the simulation
/// stay.
fn without_reports(text: &str) -> String {
    let statement = |statement: &str| {
        let at = statement.match_indices("report").map(|(at, _)| at).find(|&at| {
            let before = statement[..at].rsplit('\n').next().unwrap_or_default();
            before.trim().is_empty() && !statement[..at].contains("assert") && !statement.contains("severity")
        });
        at.filter(|_| statement.ends_with(';')).map_or(statement.to_owned(), |at| format!("{}null;", &statement[..at]))
    };
    text.split_inclusive(';').map(statement).collect()
}

/// Builds its kernel. Returns the flat image.
///
/// # Errors
/// It does not compile.
pub(super) fn build_kernel() -> Result<PathBuf> {
    let mut cargo = Toolchain::find().context("no toolchain has the source of core")?.cargo();
    cargo.arg("build").arg("--target-dir").arg(place::microwatt_target());
    let image = kernel::build("the kernel for the core microwatt", &place::microwatt_kernel(), cargo)?;
    powerpc::flatten(&image)?;
    Ok(powerpc::flat(&image))
}

/// Returns the program with the image, on a core whose unit loses every so many instructions. ghdl's programs have arguments of their
/// own; without this one they tell of each undefined value before the reset.
pub(super) fn command(program: &Path, image: &Path, lost: Option<&str>) -> Command {
    let mut command = Command::new(program);
    command.arg("--ieee-asserts=disable");
    command.env("KERNEL", image).env("CYCLES", CYCLES).envs(lost.map(|every| ("EVERY", every)));
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_prints_alone_is_removed() {
        let text =
            "if x then\n  report \"a\" &\n    b;\nend if;\nassert y\n  report \"c\" severity failure;\nz := 1;\n";
        let left = "if x then\n  null;\nend if;\nassert y\n  report \"c\" severity failure;\nz := 1;\n";
        assert_eq!(without_reports(text), left);
    }
}
