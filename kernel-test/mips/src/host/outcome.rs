//! How a guest ended.

use core::fmt;

/// The end of a guest.
pub enum Outcome {
    /// It says that all went well.
    Passed,
    /// It says that it did not, and why.
    Failed(&'static str),
    /// It goes on and on.
    OutOfPatience(u64),
    /// An exception that a kernel without a handler for it does not survive.
    Exception {
        /// Its number.
        number: usize,
        /// Where.
        address: usize,
        /// The instruction there.
        instruction: u32,
    },
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("it returned"),
            Self::Failed(reason) => f.write_str(reason),
            Self::OutOfPatience(limit) => write!(f, "still running after {limit} instructions"),
            Self::Exception { number, address, instruction } => {
                write!(f, "exception {number} at {address:#x}, by the instruction {instruction:#010x}")
            }
        }
    }
}
