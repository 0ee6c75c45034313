//! Samples: what an interrupt saw. The ring keeps them, one reader takes them, the statistics say
//! what became of all.

use core::fmt;

use crate::counter::CounterId;
use crate::event::Mode;

mod reader;
mod ring;
mod statistics;

pub use reader::Samples;
pub(crate) use ring::{Numbers, Pen, Ring};
pub(crate) use statistics::Losses;
pub use statistics::{Lost, SampleStatistics};

/// What the kernel's interrupt entry knows about what it interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Interrupted {
    /// The address of the instruction that would have come next.
    pub address: u64,
    /// The mode that it would have run in.
    pub mode: Mode,
    /// The thread, as the kernel numbers them; 0 if it does not.
    pub thread: u32,
}

impl Interrupted {
    /// At this address, in this mode, in no thread that the kernel numbers.
    #[inline(always)]
    #[must_use]
    pub const fn new(address: u64, mode: Mode) -> Self {
        Self { address, mode, thread: 0 }
    }

    /// The same in this thread: the one whose context is switched in, from before its
    /// [`Pmu::switch_in`](crate::Pmu::switch_in) until its
    /// [`Pmu::switch_out`](crate::Pmu::switch_out) has returned, since an overflow may come amid
    /// either.
    #[inline(always)]
    #[must_use]
    pub const fn in_thread(mut self, thread: u32) -> Self {
        self.thread = thread;
        self
    }
}

/// Tells sessions of one unit apart; after 32,768 of them the numbers begin anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct SessionId(pub(crate) u16);

impl SessionId {
    /// Numbers from here on are the requests of threads' contexts, and above those the groups that take turns.
    const THREADS: u16 = 1 << 15;
    /// Each request has a counter of its own, and a unit has at most 64.
    const REQUEST_BITS: u32 = 6;
    /// The most groups that can be told apart.
    pub(crate) const GROUPS: usize = (Self::THREADS >> Self::REQUEST_BITS) as usize;

    pub(crate) const fn of_session(number: u64) -> Self {
        Self(number as u16 & !Self::THREADS)
    }

    /// The request with this number, in this group, of whichever thread was interrupted.
    #[inline(always)]
    pub(crate) const fn of_thread(group: u16, request: u8) -> Self {
        Self(Self::THREADS | group << Self::REQUEST_BITS | request as u16)
    }

    /// The request of whichever thread was interrupted, if it was in this group.
    pub(crate) fn request_in(self, group: u16) -> Option<usize> {
        let request = self.0 ^ Self::of_thread(group, 0).0;
        (request >> Self::REQUEST_BITS == 0).then_some(usize::from(request))
    }
}

/// Its number, for a person or a script to tell sessions apart by.
impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a sample says of the counter that overflowed: which it was, and whose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label(u64);

impl Label {
    const SESSION_SHIFT: u32 = 16;

    #[inline(always)]
    pub(crate) const fn new(counter: CounterId, session: SessionId) -> Self {
        Self(counter.number() as u64 | (session.0 as u64) << Self::SESSION_SHIFT)
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

/// One overflow: where the processor was, and which counter it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The address of the instruction that would have come next.
    pub address: u64,
    /// The counter that overflowed.
    pub counter: CounterId,
    /// The session that the counter belonged to.
    pub session: SessionId,
    /// The mode that was interrupted.
    pub mode: Mode,
    /// The thread that was interrupted, as the kernel numbers them.
    pub thread: u32,
}
