//! What the guest may ask of the host: the numbers that go with `ta 0`.
//!
//! %o0 holds the call, %o1 and %o2 its arguments, and %o0 then its answer. Nothing else changes.

use core::arch::asm;

/// A request to the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Call {
    /// The test has passed; never returns.
    Passed,
    /// The test has failed; the arguments are the reason's address and length. Never returns.
    Failed,
    /// What is the truth about this [`Fact`]? The second argument says of which counter, where that matters.
    Truth,
    /// Set bit 15 of SOFTINT when so many more instructions have retired, though no counter has overflowed.
    InterruptAfter,
    /// Keep that interrupt back until so many more instructions have retired.
    HoldInterrupts,
    /// Print the text at this address, of this length.
    Print,
}

/// What only the host knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Fact {
    /// The guest's instructions that had retired before this call.
    Retired,
    /// How often the unit has interrupted.
    Overflows,
    /// Interrupts of level 15 that the guest has taken.
    Interrupts,
    /// Counters that run and select what this host does not observe; one bit each.
    Unfed,
    /// Instructions that retired while a counter was on, in the modes that it counts in; by the host's own book, whatever
    /// was written to the counter.
    Counted,
    /// Instructions between the last two marks.
    Stopwatch,
}

impl Call {
    const ALL: [Self; 6] =
        [Self::Passed, Self::Failed, Self::Truth, Self::InterruptAfter, Self::HoldInterrupts, Self::Print];

    /// The call with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&call| call as u64 == number)
    }
}

impl Fact {
    const ALL: [Self; 6] =
        [Self::Retired, Self::Overflows, Self::Interrupts, Self::Unfed, Self::Counted, Self::Stopwatch];

    /// The fact with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|&fact| fact as u64 == number)
    }
}

/// Has the host print this.
pub fn print(text: &str) {
    call(Call::Print, text.as_ptr() as u64, text.len() as u64);
}

/// Asks the host.
#[inline(always)]
pub fn call(call: Call, first: u64, second: u64) -> u64 {
    let answer;
    // SAFETY: the host changes nothing but %o0, and reads memory only for a text.
    unsafe {
        asm!(
            "ta 0",
            inlateout("o0") call as u64 => answer,
            in("o1") first,
            in("o2") second,
            options(nostack)
        );
    }
    answer
}
