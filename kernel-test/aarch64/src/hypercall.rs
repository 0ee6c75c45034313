//! What the kernel that is tested at EL1 may ask of its host: the numbers that go with an `hvc`.
//!
//! X0 holds the call and then its answer, X1 and X2 its arguments. Nothing else changes. All but the
//! first three are the model's host's to answer.

/// A request to the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Call {
    /// The body has returned; never returns.
    Passed,
    /// The body has failed; X1 and X2 are the reason's address and length. Never returns.
    Failed,
    /// Wait until an interrupt is there for this CPU, which may be masked. Nothing is executed meanwhile.
    Wait,
    /// What is the truth about this [`Fact`], X1? X2 says of which counter, where that matters.
    Truth,
    /// Raise the overflow interrupt, which no counter asked for, when X1 more instructions have retired.
    InterruptAfter,
    /// Keep the overflow interrupt back until X1 more instructions have retired, and remember it.
    HoldInterrupts,
    /// Send the tick when X1 more instructions have retired, in place of any other; none if X1 is 0.
    TickAfter,
    /// Set the kernel's system counter back to 0.
    ResetClock,
    /// Show the unit in this [`Disguise`], X1, from now on.
    Present,
}

/// What only the host knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Fact {
    /// The kernel's instructions that had retired before this call.
    Retired,
    /// How often the unit's line rose.
    Overflows,
    /// Interrupts that the kernel has acknowledged.
    Interrupts,
    /// Instructions that retired while a counter was on, in the modes that it counts in; by the host's
    /// own book, whatever was written to the counter.
    Counted,
}

impl Call {
    const ALL: [Self; 9] = [
        Self::Passed,
        Self::Failed,
        Self::Wait,
        Self::Truth,
        Self::InterruptAfter,
        Self::HoldInterrupts,
        Self::TickAfter,
        Self::ResetClock,
        Self::Present,
    ];

    /// The call with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&call| call as u64 == number)
    }
}

impl Fact {
    const ALL: [Self; 4] = [Self::Retired, Self::Overflows, Self::Interrupts, Self::Counted];

    /// The fact with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&fact| fact as u64 == number)
    }
}

/// What is wrong with a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Disguise {
    /// Nothing.
    None,
    /// There is none, as the ID register has it.
    Hidden,
    /// It is none of Arm's.
    Stranger,
    /// It is announced, and forgets what is written to it.
    SwallowsWrites,
}

impl Disguise {
    const ALL: [Self; 4] = [Self::None, Self::Hidden, Self::Stranger, Self::SwallowsWrites];

    /// The disguise with this number, or none.
    pub fn from_number(number: u64) -> Self {
        Self::ALL.into_iter().find(|&disguise| disguise as u64 == number).unwrap_or(Self::None)
    }
}
