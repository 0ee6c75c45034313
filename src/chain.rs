//! Call chains: who called the code that a sample interrupted.
//!
//! A kernel that wants them calls [`Unit::on_overflow_chained`](crate::Unit::on_overflow_chained)
//! in place of `on_overflow`, and lends it a function that walks the interrupted stack. It is asked
//! only if a sample was taken, and while the unit is halted: what it does is not counted. Who does
//! not want chains pays nothing for them. [`Timer::tick_chained`](crate::Timer::tick_chained) is the
//! same for samples by the clock.
//!
//! [`Frames`] walks the stacks of code that keeps frame pointers, and [`BackChain`] those that are chained
//! whatever the code; a kernel with unwinding tables
//! walks by those and calls [`Callers::push`] for each caller. Each reads memory by a function of
//! the kernel's that says so if it cannot, and gives up with a [`Broken`] where the stack makes no
//! sense: what was found until then is kept, and the chain says why it ends there.
//!
//! [`Chains`] keeps the chains of one unit in a ring of its own, and [`Chains::pair`] hands each
//! sample out with its chain. A ring that is full loses the chain and keeps the sample.
//!
//! ```
//! use pmu::chain::{Chains, End, Frames};
//! use pmu::{Interrupted, Mode, Timer}; // a Unit's overflows are the same
//!
//! static TIMER: Timer<64> = Timer::new();
//! static CHAINS: Chains<16, 64> = Chains::new(); // 16 callers at the most
//!
//! // In the handler: the interrupted frame pointer, and the bounds of the thread's stack.
//! let stack: [u64; 4] = [0x8010, 0x1111, 0, 0x2222]; // two frames, at 0x8000 and 0x8010
//! let read = |address: u64| stack.get((address.checked_sub(0x8000)? / 8) as usize).copied();
//! let frames = Frames::new(0x8000, 0x8000..0x8020);
//! TIMER.tick_chained(Interrupted::new(0x1000, Mode::Kernel), &CHAINS, |callers| frames.walk(callers, read));
//!
//! // In a thread.
//! let mut samples = CHAINS.pair(TIMER.samples()?)?;
//! let (sample, chain) = samples.next().unwrap();
//! let chain = chain.unwrap(); // None if the ring of chains was full
//! assert_eq!((sample.address, chain.callers(), chain.end()), (0x1000, &[0x1111, 0x2222][..], End::Outermost));
//! # Ok::<(), pmu::Error>(())
//! ```

use core::fmt;

mod back_chain;
mod callers;
mod frames;
mod pairing;
mod ring;

pub use back_chain::BackChain;
pub use callers::Callers;
pub use frames::Frames;
pub use pairing::Chained;
pub use ring::{ChainStatistics, Chains};

/// Why a walk was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Broken {
    /// The memory cannot be read: a page is not mapped, or not now.
    Unreadable,
    /// A frame is not where frames can be: its address is no multiple of a word's size.
    Misaligned,
    /// A frame lies outside of the stack.
    Outside,
    /// A frame does not lie behind the one that it called: the walk would go round.
    Inwards,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreadable => "unreadable",
            Self::Misaligned => "misaligned",
            Self::Outside => "outside",
            Self::Inwards => "inwards",
        })
    }
}

impl core::error::Error for Broken {}

/// Where a chain ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// With the outermost caller.
    Outermost,
    /// There are more callers than there was room for.
    Cut,
    /// The walk was given up.
    Aborted(Broken),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outermost => f.write_str("outermost"),
            Self::Cut => f.write_str("cut"),
            Self::Aborted(broken) => broken.fmt(f),
        }
    }
}

/// Who called the code that a sample interrupted.
#[derive(Clone, Copy)]
pub struct Chain<const DEPTH: usize> {
    callers: [u64; DEPTH],
    length: usize,
    end: End,
}

impl<const DEPTH: usize> Chain<DEPTH> {
    /// The addresses that calls return to, the innermost first: each lies behind its call, so that
    /// it is the address before it that is sure to be in the caller.
    #[must_use]
    pub fn callers(&self) -> &[u64] {
        self.callers.get(..self.length).unwrap_or(&self.callers)
    }

    /// Where it ends.
    #[must_use]
    pub const fn end(&self) -> End {
        self.end
    }
}

/// What is behind the last caller does not matter.
impl<const DEPTH: usize> PartialEq for Chain<DEPTH> {
    fn eq(&self, other: &Self) -> bool {
        (self.callers(), self.end) == (other.callers(), other.end)
    }
}

impl<const DEPTH: usize> Eq for Chain<DEPTH> {}

impl<const DEPTH: usize> fmt::Debug for Chain<DEPTH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain").field("callers", &self.callers()).field("end", &self.end).finish()
    }
}
