//! What the guest may ask of the host: the numbers that go with `syscall`.
//!
//! $2 holds the call, $4 and $5 its arguments, and $2 then its answer. Nothing else changes.

use core::arch::asm;

use pmu::virt::Kind;

/// A request to the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Call {
    /// The test has passed; never returns.
    Passed,
    /// The test has failed; $4 and $5 are the reason's address and length. Never returns.
    Failed,
    /// What is the truth about this [`Fact`], $4? $5 says of which counter, where that matters.
    Truth,
    /// Raise an interrupt on the unit's line that no counter asked for, when $4 more instructions have
    /// retired.
    InterruptAfter,
    /// Keep every such interrupt back until $4 more instructions have retired.
    HoldInterrupts,
    /// Print the text at $4, $5 bytes long.
    Print,
    /// A user program calls its kernel: the guest takes the exception.
    LeaveUser,
    /// The unit is told of $5 events that the guest models; $4 says [of which](MODELLED).
    Happen,
}

/// What a guest may model.
pub const MODELLED: [Kind; 5] =
    [Kind::Loads, Kind::Stores, Kind::Branches, Kind::MispredictedBranches, Kind::CacheMisses];

/// What only the host knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Fact {
    /// The guest's instructions that had retired before this call.
    Retired,
    /// Overflows with their interrupt enabled.
    Overflows,
    /// Interrupts on the unit's line that the guest has taken.
    Interrupts,
    /// Counters that run and select what this host does not observe; one bit each.
    Unfed,
    /// Instructions that retired while a counter was on, in the modes that it counts in; by the host's
    /// own book, whatever was written to the counter.
    Counted,
    /// Instructions between the last two `break`s.
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
        Self::Happen,
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
    // SAFETY: the host changes nothing but $2, and reads memory only for a text.
    unsafe {
        asm!(
            "syscall",
            inlateout("$2") call as usize => answer,
            in("$4") first,
            in("$5") second,
            options(nostack)
        );
    }
    answer
}
