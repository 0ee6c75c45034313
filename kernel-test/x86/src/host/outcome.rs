//! How a guest ended.

use core::fmt;

/// The end of a guest.
pub enum Outcome {
    /// It says that all went well.
    Passed,
    /// It says that it did not, and why.
    Failed(&'static str),
    /// It halted, and nothing would wake it.
    Halted,
    /// It lost its stack or its tables: a triple fault.
    Shutdown,
    /// It goes on and on.
    OutOfPatience(u64),
    /// It was left for a reason that nobody asked for.
    Unexpected {
        /// The exit's code.
        code: u64,
        /// Where.
        instruction: u64,
    },
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("it returned"),
            Self::Failed(reason) => f.write_str(reason),
            Self::Halted => f.write_str("the guest halted"),
            Self::Shutdown => f.write_str("the guest ended in a triple fault"),
            Self::OutOfPatience(limit) => write!(f, "still running after {limit} instructions"),
            Self::Unexpected { code, instruction } => {
                write!(f, "exit {code:#x} at {instruction:#x}, which nobody asked for")
            }
        }
    }
}
