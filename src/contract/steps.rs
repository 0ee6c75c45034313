//! How long a placement may be looked for.

/// How many steps a search for a placement may take.
///
/// A step looks at one request, at one way to count it, or at one counter. It costs some 12 instructions. As long as
/// no request has to make room for another, and none takes a pair or needs a shared register, a placement takes no
/// steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    search: u32,
    explain: u32,
}

impl Steps {
    /// As many as a switch of threads may take: some 2,000 instructions, and no explanation.
    pub const SWITCH: Self = Self::new(160, 0);
    /// As many as a call may take that is made with interrupts on: 50,000 instructions, of which the explanation of a
    /// conflict takes half.
    pub const OPEN: Self = Self::new(2000, 2000);

    /// So many steps to find a placement, and so many more to explain why there is none.
    ///
    /// A conflict that is not explained to the end may name more requests than it takes.
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
