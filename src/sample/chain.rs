//! Call chains: the callers of the code that a sample interrupted.
//!
//! A kernel that wants chains calls [`Unit::on_overflow_chained`](crate::Unit::on_overflow_chained)
//! instead of `on_overflow`, with a function that walks the interrupted stack. The function is called only
//! if a sample was taken, and while the unit is halted, so that its events are not counted. A kernel that does
//! not want chains pays nothing for them. [`Timer::tick_chained`](crate::Timer::tick_chained) does the same for
//! samples by the clock.
//!
//! [`Frames`] walks the stacks of code that keeps frame pointers, and [`BackChain`] stacks that are always linked. MIPS has
//! neither.
//! A kernel with unwinding tables uses those, and calls [`Callers::push`] for each caller. Each walk reads
//! memory by a function of the kernel that can refuse to, and stops with a [`Broken`] if the stack
//! is not well formed. The callers found until then are kept, and the chain says why it ends there.
//!
//! [`Chains`] keeps the chains of one unit in a ring of its own, and [`Chains::pair`] returns each sample
//! with its chain. When the ring is full the chain is lost, and the sample is kept.
//!
//! ```
//! use pmu::samples::{chain::Chains, chain::End, chain::Frames};
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

/// The reason why a walk was aborted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Broken {
    /// The memory cannot be read: a page is not mapped, or not now.
    Unreadable,
    /// The address of a frame is not a multiple of a word's size.
    Misaligned,
    /// A frame is outside the stack.
    Outside,
    /// A frame is not beyond the one that it called, so the walk would not end.
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

/// How a chain ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum End {
    /// With the outermost caller.
    Outermost,
    /// There are more callers than room.
    Cut,
    /// The walk was aborted.
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

/// The callers of the code that a sample interrupted.
#[derive(Clone, Copy)]
pub struct Chain<const DEPTH: usize> {
    callers: [u64; DEPTH],
    length: usize,
    end: End,
}

impl<const DEPTH: usize> Chain<DEPTH> {
    /// Returns the return addresses, the innermost first. Each is the address after a call, so the address
    /// before it is certain to be in the caller.
    #[must_use]
    pub fn callers(&self) -> &[u64] {
        self.callers.get(..self.length).unwrap_or(&self.callers)
    }

    /// Returns how the chain ends.
    #[must_use]
    pub const fn end(&self) -> End {
        self.end
    }
}

/// Compares the callers and the end. What follows the last caller is ignored.
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
