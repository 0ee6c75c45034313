//! Which interrupts come when their overflows are accounted for already?

/// The interrupts that can still come when their overflows are accounted for. They find nothing, and are the unit's all
/// the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Late {
    /// None: an overflow that is forgotten does not interrupt.
    Never,
    /// One after a stop that has accounted for overflows: the line masks itself at each interrupt.
    One {
        /// For how many ticks it is waited for.
        within: u64,
    },
    /// One for each overflow that an interrupt has accounted for beside its own, and for each that a stop has: the line
    /// is never masked.
    Each {
        /// The most that can be on their way at once: no more are waited for.
        most: u64,
        /// For how many ticks they are waited for.
        within: u64,
    },
}
