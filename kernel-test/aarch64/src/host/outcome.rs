//! How the kernel that was tested ended, if not well.

use core::fmt;

use harness::Words;

use crate::trap;

/// The end of a kernel that did not end well.
#[derive(Debug)]
pub enum Outcome {
    /// It says so, and why.
    Failed(Words),
    /// It waits, and nothing would wake it.
    Halted,
    /// It goes on and on.
    OutOfPatience(u64),
    /// It was left for a reason that nobody asked for: by this vector, with this syndrome, there.
    Unexpected {
        /// The vector.
        vector: u64,
        /// ESR_EL2.
        syndrome: u64,
        /// Where it was.
        address: u64,
    },
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(reason) => f.write_str(reason.as_str()),
            Self::Halted => f.write_str("the kernel halted"),
            Self::OutOfPatience(limit) => write!(f, "still running after {limit} instructions"),
            Self::Unexpected { vector, syndrome, address } => write!(
                f,
                "left by vector {vector} at {address:#x}, which nobody asked for: class {:#x}, syndrome {syndrome:#x}",
                trap::class(*syndrome)
            ),
        }
    }
}
