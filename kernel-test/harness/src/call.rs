//! What a guest may ask of its host: the numbers that go with the instruction by which it calls ([`Guest::call`]).
//!
//! A call has two arguments and an answer, and changes nothing else.
//!
//! [`Guest::call`]: crate::Guest::call

/// A request to the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Call {
    /// The test has passed; never returns.
    Passed,
    /// The test has failed; the arguments are the reason's address and length. Never returns.
    Failed,
    /// Print the text at this address, of this length.
    Print,
    /// What is the truth about this [`Fact`]? The second argument says of which counter, where that matters.
    Truth,
    /// Raise the overflow interrupt, which no counter asked for, when so many more instructions have retired.
    InterruptAfter,
    /// Hold the overflow interrupt back until so many more instructions have retired.
    HoldInterrupts,
    /// Send the tick when so many more instructions have retired, in place of any other; none if that is 0. For kernels
    /// without a timer of their own.
    TickAfter,
    /// Set the clock that the driver reads back to 0.
    ResetClock,
    /// Show the unit in this [`Disguise`] from now on.
    Present,
    /// A user program calls its kernel, which takes the exception.
    LeaveUser,
    /// What one kernel alone asks of its host, and says itself.
    Own,
}

impl Call {
    const ALL: [Self; 11] = [
        Self::Passed,
        Self::Failed,
        Self::Print,
        Self::Truth,
        Self::InterruptAfter,
        Self::HoldInterrupts,
        Self::TickAfter,
        Self::ResetClock,
        Self::Present,
        Self::LeaveUser,
        Self::Own,
    ];

    /// Returns the call with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&call| call as u64 == number)
    }
}

/// What only the host knows. A host need not know them all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Fact {
    /// The guest's instructions that had retired before this call.
    Retired,
    /// How often an overflow asked for an interrupt.
    Overflows,
    /// Overflow interrupts that the guest has taken.
    Interrupts,
    /// Counters that run and select what this host does not observe; one bit each.
    Unfed,
    /// Instructions that retired while a counter was on, in the modes that it counts in; by the host's own book, whatever
    /// was written to the counter.
    Counted,
    /// Instructions between the guest's last two marks.
    Stopwatch,
    /// Overflows that met a masked line, and are lost.
    Masked,
    /// Instructions that retired between the last overflow and its interrupt.
    Skid,
    /// A number that stays the same as long as the unit's registers and its line's do.
    Fingerprint,
    /// 1 while the host looks at each instruction, else 0.
    Observed,
}

impl Fact {
    const ALL: [Self; 10] = [
        Self::Retired,
        Self::Overflows,
        Self::Interrupts,
        Self::Unfed,
        Self::Counted,
        Self::Stopwatch,
        Self::Masked,
        Self::Skid,
        Self::Fingerprint,
        Self::Observed,
    ];

    /// Returns the fact with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&fact| fact as u64 == number)
    }
}

/// What is wrong with a unit, to order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Disguise {
    /// Nothing.
    None,
    /// Writes are accepted and forgotten, as some emulators do.
    SwallowsWrites,
    /// Writes are kept, and nothing is counted.
    Silent,
    /// The processor says that there is none.
    Hidden,
    /// It is none that this crate knows.
    Stranger,
}

impl Disguise {
    const ALL: [Self; 5] = [Self::None, Self::SwallowsWrites, Self::Silent, Self::Hidden, Self::Stranger];

    /// Returns the disguise with this number, or none.
    pub fn from_number(number: u64) -> Self {
        Self::ALL.into_iter().find(|&disguise| disguise as u64 == number).unwrap_or(Self::None)
    }
}
