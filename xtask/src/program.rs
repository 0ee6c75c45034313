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
/// The tool that reads the streams that the crate writes.
pub(crate) const PERF: Program = Program { command: "perf", package: "linux-perf" };

/// A library that set-up can install.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Library {
    /// The file that the linker looks for.
    pub(crate) file: &'static str,
    /// The Debian package that has it.
    pub(crate) package: &'static str,
}

impl Library {
    /// Returns true if the compiler that links for the host finds it.
    pub(crate) fn is_linked(self) -> bool {
        // The answer is the name itself where there is no such file.
        let found = process::answer("cc", &[&format!("-print-file-name={}", self.file)]);
        found.is_some_and(|path| path.trim() != self.file)
    }
}

/// The library that encodes the events that both know.
pub(crate) const LIBPFM: Library = Library { file: "libpfm.so", package: "libpfm4-dev" };
/// The library that has generic events made of processors' own. What they are is in a text beside it.
pub(crate) const PAPI: Library = Library { file: "libpapi.so", package: "libpapi-dev" };
/// The C library as an archive.
pub(crate) const STATIC_LIBRARY: Library = Library { file: "libc.a", package: "libc6-dev" };
