//! Programs that xtask calls, and libraries that it links, and may have to install.

use crate::process;

/// A program that set-up can install.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    /// Its name in the path.
    pub(crate) command: &'static str,
    /// The Debian package that has it.
    pub(crate) package: &'static str,
}

/// A C++ compiler.
pub(crate) const CPP_COMPILER: Program = Program { command: "c++", package: "g++" };
/// The compiler that links programs of Linux on RISC-V.
pub(crate) const RISCV_COMPILER: Program =
    Program { command: "riscv64-linux-gnu-gcc", package: "gcc-riscv64-linux-gnu" };
/// That of AArch64.
pub(crate) const AARCH64_COMPILER: Program =
    Program { command: "aarch64-linux-gnu-gcc", package: "gcc-aarch64-linux-gnu" };
/// The tool that reads the streams that the crate writes.
pub(crate) const PERF: Program = Program { command: "perf", package: "linux-perf" };
/// The tool that makes a compiler's profile of samples with branches. Its package is installed with 80 MB, 18 of them downloaded.
pub(crate) const PROFGEN: Program = Program { command: "llvm-profgen-19", package: "llvm-19" };

/// The compiler from hardware descriptions to C++.
pub(crate) const VERILATOR: Program = Program { command: "verilator", package: "verilator" };
/// What runs the C++ compiler for it.
pub(crate) const MAKE: Program = Program { command: "make", package: "make" };
/// The compiler of those in VHDL to programs of the host.
pub(crate) const GHDL: Program = Program { command: "ghdl-llvm", package: "ghdl-llvm" };
/// What downloads hardware descriptions.
pub(crate) const PIP: Program = Program { command: "pip3", package: "python3-pip" };

/// A library that set-up can install.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Library {
    /// The file that the linker looks for.
    pub(crate) file: &'static str,
    /// The Debian package that has it.
    pub(crate) package: &'static str,
    /// The compiler that links it.
    compiler: &'static str,
}

impl Library {
    /// Returns true if the compiler finds it.
    pub(crate) fn is_linked(self) -> bool {
        // The answer is the name itself where there is no such file.
        let found = process::answer(self.compiler, &[&format!("-print-file-name={}", self.file)]);
        found.is_some_and(|path| path.trim() != self.file)
    }
}

/// The compiler that links for the host.
const HOSTS: &str = "cc";

/// The library that encodes the events that both know.
pub(crate) const LIBPFM: Library = Library { file: "libpfm.so", package: "libpfm4-dev", compiler: HOSTS };
/// The library that has generic events made of processors' own. What they are is in a text beside it.
pub(crate) const PAPI: Library = Library { file: "libpapi.so", package: "libpapi-dev", compiler: HOSTS };
/// A file that a Debian package has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Archive {
    pub(crate) file: &'static str,
    pub(crate) package: &'static str,
}

/// The source of Linux, which has perf's lists of events.
pub(crate) const LINUX_SOURCE: Archive =
    Archive { file: "/usr/src/linux-source-6.12.tar.xz", package: "linux-source-6.12" };
/// UEFI firmware for QEMU's PC and for its board `virt` of AArch64, and the tools that write the disk it boots from.
pub(crate) const UEFI: [Archive; 3] = [
    Archive { file: "/usr/share/OVMF/OVMF_CODE_4M.fd", package: "ovmf" },
    Archive { file: "/usr/share/AAVMF/AAVMF_CODE.fd", package: "qemu-efi-aarch64" },
    Archive { file: "/usr/bin/mformat", package: "mtools" },
];
/// The C library as an archive.
pub(crate) const STATIC_LIBRARY: Library = Library { file: "libc.a", package: "libc6-dev", compiler: HOSTS };
/// That of RISC-V.
pub(crate) const RISCV_STATIC_LIBRARY: Library =
    Library { file: "libc.a", package: "libc6-dev-riscv64-cross", compiler: RISCV_COMPILER.command };
/// That of AArch64.
pub(crate) const AARCH64_STATIC_LIBRARY: Library =
    Library { file: "libc.a", package: "libc6-dev-arm64-cross", compiler: AARCH64_COMPILER.command };
