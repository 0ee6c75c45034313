//! What the kernel that is tested at EL1 may ask of its host: the numbers that go with an `hvc`.
//!
//! X0 holds the call and then its answer, X1 and X2 its arguments. Nothing else changes.

/// A request to the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Call {
    /// The body has returned; never returns.
    Passed,
    /// The body has failed; X1 and X2 are the reason's address and length. Never returns.
    Failed,
}

impl Call {
    const ALL: [Self; 2] = [Self::Passed, Self::Failed];

    /// The call with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&call| call as u64 == number)
    }
}
