//! Which programs does xtask call that it may have to install?

/// A program that set-up can install.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    /// What it is called in the path.
    pub(crate) command: &'static str,
    /// The Debian package that has it.
    pub(crate) package: &'static str,
}

/// A C++ compiler.
pub(crate) const CPP_COMPILER: Program = Program { command: "c++", package: "g++" };
/// What reads the streams that the crate writes.
pub(crate) const PERF: Program = Program { command: "perf", package: "linux-perf" };
