//! What sampling hardware promises: a unit that records the instruction itself at every n-th event.
//!
//! A sampler has registers of its own, so it is a value beside the driver of the counters. A kernel that does not name it
//! links none of its code.

use super::{Late, Registers};
use crate::event::{Record, Refusal, Request};

/// A sampler: hardware that records what one instruction did.
///
/// A kernel starts and stops it through [`Records`](crate::precise::Records), which also has its interrupt.
///
/// [`Sampler::take`] may be called in an NMI. It and what it calls MUST NOT allocate, lock, panic, use a float, decode, or loop
/// without a bound: it copies words. [`Sampler::decode`] makes records of them, in a thread.
pub trait Sampler {
    /// A request as the sampler's registers have it, and how much of its period has passed.
    type Program: Copy;
    /// The registers.
    type Registers: Registers;

    /// The most words that it records of one instruction.
    const WORDS: usize;

    /// Whether an interrupt amid [`Sampler::stop`] may take in what `found` is told there. If not, what it takes in is gone before.
    const SHARES_STOP: bool = true;

    /// Returns the registers.
    fn registers(&self) -> &Self::Registers;

    /// Encodes a request: its event, its period and its modes.
    ///
    /// # Errors
    /// Returns what the sampler cannot do, and what it could instead. No register was written.
    fn encode(&self, request: &Request) -> Result<Self::Program, Refusal>;

    /// Samples by this program, on from where it was stopped.
    fn start(&self, program: Self::Program);

    /// Samples no more, and then calls `found` with the words of each record that was there before. Returns the program, which
    /// goes on with the rest of its period as far as the hardware knows it. The interrupt may call [`Sampler::take`] meanwhile,
    /// until the hardware has stopped: then the record is the interrupt's, and the caller leaves out what `found` is told.
    fn stop(&self, found: impl FnMut(&[u64])) -> Self::Program;

    /// Calls `found` with the words of each record that is there, and goes on sampling. Returns false if there is none.
    fn take(&self, found: impl FnMut(&[u64])) -> bool;

    /// Returns a program that a stop has returned with the beginning of a period, in place of the rest of one: an interrupt amid
    /// the stop has taken the record in with which that ended.
    fn with_whole_period(&self, program: Self::Program) -> Self::Program;

    /// Returns the record that has these words. What only the interrupt knows is not in it.
    fn decode(&self, words: &[u64]) -> Record;

    /// Returns the interrupts that can still come after a stop.
    fn late(&self) -> Late;

    /// Lets the line interrupt again, after an interrupt that came late. A line that no interrupt masks needs nothing.
    fn rearm(&self) {}
}

impl<S: Sampler + ?Sized> Sampler for &S {
    type Program = S::Program;
    type Registers = S::Registers;

    const WORDS: usize = S::WORDS;
    const SHARES_STOP: bool = S::SHARES_STOP;

    #[inline(always)]
    fn registers(&self) -> &S::Registers {
        (**self).registers()
    }

    fn encode(&self, request: &Request) -> Result<S::Program, Refusal> {
        (**self).encode(request)
    }

    #[inline(always)]
    fn start(&self, program: S::Program) {
        (**self).start(program);
    }

    #[inline(always)]
    fn stop(&self, found: impl FnMut(&[u64])) -> S::Program {
        (**self).stop(found)
    }

    #[inline(always)]
    fn take(&self, found: impl FnMut(&[u64])) -> bool {
        (**self).take(found)
    }

    #[inline(always)]
    fn with_whole_period(&self, program: S::Program) -> S::Program {
        (**self).with_whole_period(program)
    }

    fn decode(&self, words: &[u64]) -> Record {
        (**self).decode(words)
    }

    #[inline(always)]
    fn late(&self) -> Late {
        (**self).late()
    }

    #[inline(always)]
    fn rearm(&self) {
        (**self).rearm();
    }
}
