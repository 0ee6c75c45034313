//! Interrupts that come after their overflows were accounted for.

/// The interrupts that can still come after their overflows were accounted for. The handler finds no overflow then, but
/// the interrupt is the unit's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Late {
    /// None: an overflow that was cleared does not interrupt.
    Never,
    /// One after a stop that has accounted for overflows: the line masks itself at each interrupt.
    One {
        /// For how many ticks it may come; [`u64::MAX`] if it waits for as long as interrupts are off.
        within: u64,
    },
    /// One for each overflow that a stop has accounted for, or an interrupt beside its own: the line is never masked.
    Each {
        /// The most that can be pending at once.
        most: u32,
        /// For how many ticks they may come.
        within: u64,
    },
}
