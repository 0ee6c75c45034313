//! Samples: what each overflow interrupt found. A ring keeps them, one reader takes them, and statistics count
//! what was received and lost.

use core::fmt;

use crate::event::{CounterId, Mode, Repeat, Sampling};

pub(crate) mod branches;
pub mod chain;
pub(crate) mod lists;
mod reader;
mod ring;
mod statistics;

pub use reader::Samples;
pub(crate) use ring::{Numbers, Ring, Writer};
pub(crate) use statistics::Losses;
pub use statistics::{Lost, SampleStatistics};

/// What the kernel's interrupt entry knows about the code that was interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Interrupted {
    /// The address of the next instruction.
    pub address: u64,
    /// The mode of that instruction.
    pub mode: Mode,
    /// The thread's number in the kernel; 0 if the kernel does not number threads.
    pub thread: u32,
}

impl Interrupted {
    /// Creates an interruption at this address and in this mode, without a thread.
    #[inline(always)]
    #[must_use]
    pub const fn new(address: u64, mode: Mode) -> Self {
        Self { address, mode, thread: 0 }
    }

    /// Sets the thread: the one whose context is switched in, from before its
    /// [`Pmu::switch_in`](crate::Pmu::switch_in) begins until its
    /// [`Pmu::switch_out`](crate::Pmu::switch_out) has returned, because an overflow may come during either.
    #[inline(always)]
    #[must_use]
    pub const fn in_thread(mut self, thread: u32) -> Self {
        self.thread = thread;
        self
    }
}

/// The number of a session of a unit. After 32,768 sessions the numbers repeat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct SessionId(pub(crate) u16);

impl SessionId {
    /// The first of the numbers for requests of threads' contexts. The bits above the request are the group.
    const THREADS: u16 = 1 << 15;
    /// The bits for a request: each has a counter of its own, and a unit has at most 64.
    const REQUEST_BITS: u32 = 6;
    /// The number of groups that can be distinguished.
    pub(crate) const GROUPS: usize = (Self::THREADS >> Self::REQUEST_BITS) as usize;

    pub(crate) const fn of_session(number: u64) -> Self {
        Self(number as u16 & !Self::THREADS)
    }

    /// Returns the number of a request in a group of the interrupted thread.
    #[inline(always)]
    pub(crate) const fn of_thread(group: u16, request: u8) -> Self {
        Self(Self::THREADS | group << Self::REQUEST_BITS | request as u16)
    }

    /// Returns the request of the interrupted thread, if it is in this group.
    pub(crate) fn request_in(self, group: u16) -> Option<usize> {
        let request = self.0 ^ Self::of_thread(group, 0).0;
        (request >> Self::REQUEST_BITS == 0).then_some(usize::from(request))
    }
}

/// Prints the number, by which people and scripts distinguish sessions.
impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is known of a counter's overflows before they happen: the counter, its session or request, the thread that it
/// counts for, and what an overflow does.
///
/// The bits are those of a sample's second word, with flags in place of the mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label(u64);

impl Label {
    const SESSION_SHIFT: u32 = 16;
    const THREAD_SHIFT: u32 = 32;
    /// The overflow leaves a sample.
    const SAMPLES: u64 = 1 << 8;
    /// The counter stops at its overflow.
    const ONCE: u64 = 1 << 9;
    /// With it all counters of the thread that is switched in stop.
    const FREEZES: u64 = 1 << 10;
    /// The sample's thread is the label's.
    const THREAD: u64 = 1 << 11;
    const FLAGS: u64 = 0xFF << 8;

    #[inline(always)]
    pub(crate) const fn new(counter: CounterId, session: SessionId) -> Self {
        Self(counter.number() as u64 | (session.0 as u64) << Self::SESSION_SHIFT)
    }

    /// Adds what the overflow does.
    #[inline(always)]
    pub(crate) const fn doing(self, sampling: Option<Sampling>) -> Self {
        match sampling {
            None => self,
            Some(Sampling { repeat: Repeat::OneShot, .. }) => Self(self.0 | Self::SAMPLES | Self::ONCE),
            Some(_) => Self(self.0 | Self::SAMPLES),
        }
    }

    /// Makes it that of a thread. A one-shot period that ends freezes all of the thread's counters.
    #[inline(always)]
    pub(crate) const fn of_thread(self, thread: u32) -> Self {
        Self(self.0 | Self::THREAD | Self::FREEZES | (thread as u64) << Self::THREAD_SHIFT)
    }

    #[inline(always)]
    pub(crate) const fn samples(self) -> bool {
        self.0 & Self::SAMPLES != 0
    }

    #[inline(always)]
    pub(crate) const fn is_once(self) -> bool {
        self.0 & Self::ONCE != 0
    }

    #[inline(always)]
    pub(crate) const fn freezes(self) -> bool {
        self.0 & Self::FREEZES != 0
    }

    /// Returns the second word of a sample, of which the interrupt knows the mode and the thread.
    #[inline(always)]
    const fn sample(self, mode: u64, thread: u64) -> u64 {
        let thread = if self.0 & Self::THREAD == 0 { thread } else { 0 };
        self.0 & !Self::FLAGS | mode | thread
    }

    #[inline(always)]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }
}

/// A sample: where the processor was when a counter overflowed, and which counter it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Sample {
    /// The address of the next instruction.
    pub address: u64,
    /// The counter that overflowed.
    pub counter: CounterId,
    /// The session that the counter belonged to.
    pub session: SessionId,
    /// The mode that was interrupted.
    pub mode: Mode,
    /// The thread that was interrupted, as the kernel numbers threads.
    pub thread: u32,
}
