//! The cores that are described in SystemVerilog, and how verilator compiles each to a program that simulates it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::packages;
use crate::program::VERILATOR;
use crate::progress::Step;
use crate::{place, process};

/// A core. `rtl/NAME` has its top, and what the bench has to know of it.
pub(super) struct Core {
    pub(super) name: &'static str,
    /// Its sources' folder among the packages.
    sources: &'static str,
    /// What verilator is told of them: `{}` is that folder.
    list: &'static [&'static str],
}

/// Warnings are of the cores' own style; what could change what they do stays an error.
pub(super) const QUIET: [&str; 4] = ["-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-BLKANDNBLK"];

impl Core {
    pub(super) const ALL: [Self; 2] = [
        Self {
            name: "cv32e40p",
            sources: "pythondata_cpu_cv32e40p/system_verilog",
            list: &["-f", "{}/cv32e40p_manifest.flist"],
        },
        Self {
            name: "ibex",
            sources: "pythondata_cpu_ibex/system_verilog",
            list: &[
                "-DSYNTHESIS",
                "+incdir+{}/vendor/lowrisc_ip/ip/prim/rtl",
                "+incdir+{}/vendor/lowrisc_ip/dv/sv/dv_utils",
                "+incdir+{}/rtl",
                "-y",
                "{}/rtl",
                "-y",
                "{}/vendor/lowrisc_ip/ip/prim/rtl",
                "{}/vendor/lowrisc_ip/ip/prim/rtl/prim_util_pkg.sv",
                "{}/vendor/lowrisc_ip/ip/prim/rtl/prim_cipher_pkg.sv",
                "{}/vendor/lowrisc_ip/ip/prim/rtl/prim_secded_pkg.sv",
                "{}/vendor/lowrisc_ip/ip/prim/rtl/prim_ram_1p_pkg.sv",
                "{}/vendor/lowrisc_ip/ip/prim/rtl/prim_mubi_pkg.sv",
                "{}/rtl/ibex_pkg.sv",
            ],
        },
    ];

    /// Compiles it, unless that was done with the same files and the same list. Returns the program.
    ///
    /// # Errors
    /// Verilator or the C++ compiler fails; the error has their output.
    pub(super) fn build(&self) -> Result<PathBuf> {
        let folder = place::rtl_target().join(self.name);
        let program = folder.join("simulation");
        let (stamp, inputs) = (folder.join("inputs"), self.inputs()?);
        if fs::read(&stamp).is_ok_and(|before| before == inputs) && program.is_file() {
            return Ok(program);
        }
        let step = Step::begin(format!("set-up: verilator compiles the core {} (some 50 CPU s)", self.name));
        let outcome = process::run(&mut self.command(&folder))?;
        step.end(if outcome.succeeded { "compiled" } else { "failed" });
        ensure!(outcome.succeeded, "the core {} does not compile:\n{}", self.name, outcome.errors);
        fs::write(&stamp, inputs).with_context(|| format!("cannot write {}", stamp.display()))?;
        Ok(program)
    }

    fn command(&self, folder: &Path) -> Command {
        let [sources, top] = [packages::folder().join(self.sources), self.top()];
        let sources = sources.display().to_string();
        let mut verilator = Command::new(VERILATOR.command);
        verilator.env("DESIGN_RTL_DIR", format!("{sources}/rtl"));
        verilator.args(["--cc", "--exe", "--build", "-O3", "--top-module", "top", "-o", "simulation"]).args(QUIET);
        verilator.arg("-CFLAGS").arg(format!("-O1 -I{}", top.display())).arg("--Mdir").arg(folder);
        verilator.args(self.list.iter().map(|argument| argument.replace("{}", &sources)));
        verilator.args([top.join("fault.vlt"), top.join("top.sv"), bench()]);
        verilator
    }

    fn top(&self) -> PathBuf {
        place::rtl().join(self.name)
    }

    /// Returns all that a compilation depends on. The packages do not change but with their list.
    fn inputs(&self) -> Result<Vec<u8>> {
        let own = ["fault.h", "fault.vlt", "top.sv"].map(|name| self.top().join(name));
        let files = own.into_iter().chain([bench(), place::rtl().join("requirements.txt")]);
        let read = |path: PathBuf| fs::read(&path).with_context(|| format!("cannot read {}", path.display()));
        let texts = files.map(read).collect::<Result<Vec<_>>>()?;
        Ok([texts.concat(), format!("{:?}", self.command(Path::new(""))).into_bytes()].concat())
    }
}

fn bench() -> PathBuf {
    place::rtl().join("bench.cpp")
}
