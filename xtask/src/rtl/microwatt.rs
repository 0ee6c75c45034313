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

/// What of it is compiled to a program.
struct Design {
    /// The folder below the target folder.
    folder: &'static str,
    /// What is printed of it, with its cost.
    title: &'static str,
    /// The core's own files.
    files: &'static str,
    /// This repository's, in the core's folder: the VHDL, what it instantiates at the top, and the C++.
    top: [&'static str; 3],
    /// Other files that it depends on.
    others: &'static [&'static str],
}

const CORE: Design = Design {
    folder: NAME,
    title: "the core microwatt (some 30 CPU s)",
    files: FILES,
    top: ["top.vhdl", "top", "bench.cpp"],
    others: &[],
};

/// Its unit alone.
const UNIT: Design = Design {
    folder: "microwatt-unit",
    title: "the unit of microwatt alone (some 3 CPU s)",
    files: "decode_types utils common pmu",
    top: ["block.vhdl", "alone", "block.cpp"],
    others: &["../blocks/commands.h"],
};

/// Compiles it, unless that was done with the same files. Returns the program.
///
/// # Errors
/// ghdl or the C++ compiler fails; the error has its output.
pub(super) fn build() -> Result<PathBuf> {
    CORE.build()
}

/// The same of its unit alone.
///
/// # Errors
/// As of [`build`].
pub(super) fn build_unit() -> Result<PathBuf> {
    UNIT.build()
}

impl Design {
    fn build(&self) -> Result<PathBuf> {
        let folder = place::rtl_target().join(self.folder);
        let (stamp, program, inputs) = (folder.join("inputs"), folder.join(self.top[1]), self.inputs()?);
        if fs::read_to_string(&stamp).is_ok_and(|before| before == inputs) && program.is_file() {
            return Ok(program);
        }
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let step = Step::begin(format!("set-up: ghdl compiles {}", self.title));
        let built = self.compile(&folder);
        step.end(if built.is_ok() { "compiled" } else { "failed" });
        built?;
        fs::write(&stamp, inputs).with_context(|| format!("cannot write {}", stamp.display()))?;
        Ok(program)
    }

    /// Returns all that a compilation depends on.
    fn inputs(&self) -> Result<String> {
        let [vhdl, _, bench] = self.top;
        let own = [vhdl, bench].into_iter().chain(self.others.iter().copied()).map(own);
        let files = own.chain([place::rtl().join(packages::LIST)]);
        let read = |path: PathBuf| fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()));
        Ok([files.map(read).collect::<Result<String>>()?, self.files.to_owned()].concat())
    }

    fn compile(&self, folder: &Path) -> Result<()> {
        let [vhdl, top, cpp] = self.top;
        let mut bench = Command::new(CPP_COMPILER.command);
        bench.current_dir(folder).args(["-std=c++17", "-O2", "-c", "-o", "bench.o"]).arg(own(cpp));
        must(&mut bench)?;
        let mut ghdl = Command::new(GHDL.command);
        ghdl.current_dir(folder).args(["-c", "--std=08", "-O2", "-Wl,bench.o", "-Wl,-lstdc++"]);
        for file in self.files.split_whitespace().map(|name| format!("{name}.vhdl")) {
            let from = packages::folder().join(SOURCES).join(&file);
            let text = fs::read_to_string(&from).with_context(|| format!("cannot read {}", from.display()))?;
            fs::write(folder.join(&file), without_reports(&text)).with_context(|| format!("cannot write {file}"))?;
            ghdl.arg(file);
        }
        // What is compiled last stands in for what has its name: the unit's second architecture for its own.
        must(ghdl.arg(own(vhdl)).args(["-e", top]))
    }
}

fn own(file: &str) -> PathBuf {
    place::rtl().join(NAME).join(file)
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
