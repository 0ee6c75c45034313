//! What the guest may ask of the host: the numbers that go with `sc`.
//!
//! R0 holds the call, R3 and R4 its arguments, and R3 then its answer. Nothing else changes.

use core::arch::asm;

/// A request to the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Call {
    /// The test has passed; never returns.
    Passed,
    /// The test has failed; R3 and R4 are the reason's address and length. Never returns.
    Failed,
    /// What is the truth about this [`Fact`], R3? R4 says of which counter, where that matters.
    Truth,
    /// Raise a performance monitor exception that no counter asked for, when R3 more instructions have
    /// retired.
    InterruptAfter,
    /// Keep every such exception back until R3 more instructions have retired.
    HoldInterrupts,
    /// Print the text at R3, R4 bytes long.
    Print,
    /// Out of problem state: the guest takes a system call exception.
    LeaveUser,
    /// R3 instructions of a hypervisor's retire, which the guest does not see but for what its unit counts.
    Hypervise,
}

/// What only the host knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Fact {
    /// The guest's instructions that had retired before this call.
    Retired,
    /// Overflows with their exception enabled.
    Overflows,
    /// Performance monitor exceptions that the guest has taken.
    Interrupts,
    /// Counters that run and select what this host does not observe; one bit each.
    Unfed,
    /// Instructions that retired while a counter was on, in the modes that it counts in; by the host's
    /// own book, whatever was written to the counter.
    Counted,
    /// Instructions between the last two `trap`s.
    Stopwatch,
}

impl Call {
    const ALL: [Self; 8] = [
        Self::Passed,
        Self::Failed,
        Self::Truth,
        Self::InterruptAfter,
        Self::HoldInterrupts,
        Self::Print,
        Self::LeaveUser,
        Self::Hypervise,
    ];

    /// The call with this number.
    pub fn from_number(number: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|&call| call as usize == number)
    }
}

impl Fact {
    const ALL: [Self; 6] =
        [Self::Retired, Self::Overflows, Self::Interrupts, Self::Unfed, Self::Counted, Self::Stopwatch];

    /// The fact with this number.
    pub fn from_number(number: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|&fact| fact as usize == number)
    }
}

/// Has the host print this, from a guest above it.
pub fn print(text: &str) {
    call(Call::Print, text.as_ptr() as usize, text.len());
}

/// Asks the host, from a guest above it.
#[inline(always)]
pub fn call(call: Call, first: usize, second: usize) -> usize {
    let answer;
    // SAFETY: the host changes nothing but R3, and reads memory only for a failure's reason.
    unsafe {
        asm!(
            "sc",
            in("r0") call as usize,
            inlateout("r3") first => answer,
            in("r4") second,
            options(nostack)
        );
    }
    answer
}
