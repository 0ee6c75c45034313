//! Limits the search for a placement.

/// The number of steps that a search for a placement may take.
///
/// A step is about 12 instructions, such as a look at one way to count a request; where requests compete for registers on a
/// Pentium 4 that uses all its counters, 20 to 30. While no request has to be moved for
/// another, and none takes a pair or needs a shared register, a placement takes no steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    search: u32,
    explain: u32,
}

impl Steps {
    /// The steps of a switch of threads: about 2,000 instructions, and no explanation of a conflict.
    pub const SWITCH: Self = Self::new(160, 0);
    /// The steps of a call that is made with interrupts on: about 50,000 instructions, half of them for explaining a
    /// conflict, whose steps cost more.
    pub const OPEN: Self = Self::new(2000, 1600);

    /// Creates a limit: this many steps to find a placement, and this many more to explain why there is none.
    ///
    /// If the explanation is not finished within its steps, the conflict may name more requests than are part of it. With no
    /// steps for it, nothing is explained.
    #[must_use]
    pub const fn new(search: u32, explain: u32) -> Self {
        Self { search, explain }
    }

    /// Returns the steps for finding a placement.
    pub(crate) const fn search(self) -> u32 {
        self.search
    }

    /// Returns the steps for explaining that there is none.
    pub(crate) const fn explain(self) -> u32 {
        self.explain
    }
}
