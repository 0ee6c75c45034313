//! What a guest asks of its host.

use core::fmt;

use pmu::{CounterId, CounterSet};

use crate::Words;
use crate::call::{Call, Disguise, Fact};

/// A kernel above a host.
///
/// It supplies the instruction that calls the host. What the host knows, and what it does to order, follows from that.
pub trait Guest: Sized + 'static {
    /// Asks the host. Returns its answer.
    fn call(call: Call, first: u64, second: u64) -> u64;

    /// Returns whether the host keeps its book here, and takes orders. If not, the questions and orders below have no
    /// meaning.
    fn has_book() -> bool {
        true
    }

    /// Returns the instructions that had retired before this very question, which is the next.
    #[inline(always)]
    fn retired() -> u64 {
        ask::<Self>(Fact::Retired)
    }

    /// Returns how many instructions retired while this counter was on, by the host's own book: what it should have
    /// counted, whatever was written to it meanwhile. 0 without a book.
    #[inline(always)]
    fn counted(counter: CounterId) -> u64 {
        if Self::has_book() { Self::call(Call::Truth, Fact::Counted as u64, counter.number().into()) } else { 0 }
    }

    /// Returns how often an overflow asked for an interrupt; 0 without a book.
    fn overflows() -> u64 {
        if Self::has_book() { ask::<Self>(Fact::Overflows) } else { 0 }
    }

    /// Returns how many overflow interrupts came.
    fn interrupts() -> u64 {
        ask::<Self>(Fact::Interrupts)
    }

    /// Returns the counters that run and select what the host does not observe.
    fn unfed() -> CounterSet {
        CounterSet::from_bits(ask::<Self>(Fact::Unfed))
    }

    /// Orders an overflow interrupt when `instructions` more have retired after this call's own, though no counter
    /// overflows.
    #[inline(always)]
    fn interrupt_after(instructions: u64) {
        Self::call(Call::InterruptAfter, instructions, 0);
    }

    /// Holds overflow interrupts back until `instructions` more have retired after this call's own.
    #[inline(always)]
    fn hold_interrupts(instructions: u64) {
        Self::call(Call::HoldInterrupts, instructions, 0);
    }

    /// Shows the unit in this disguise from now on, until the end of the test.
    fn present(disguise: Disguise) {
        Self::call(Call::Present, disguise as u64, 0);
    }

    /// Prints this on the host's console.
    fn print(text: &str) {
        Self::call(Call::Print, text.as_ptr() as u64, text.len() as u64);
    }

    /// Ends the test: all is well.
    fn pass() -> ! {
        Self::call(Call::Passed, 0, 0);
        unreachable!("the host does not come back from the end of a test")
    }

    /// Ends the test with this reason.
    fn fail(reason: fmt::Arguments) -> ! {
        let words = Words::from(reason);
        let text = words.as_str();
        Self::call(Call::Failed, text.as_ptr() as u64, text.len() as u64);
        unreachable!("the host does not come back from the end of a test")
    }

    /// Runs `work` where this is called. Returns how many instructions it retired, and what it returned. `mark` is one
    /// instruction by which the host reads its clock, and uses no register: so the code in between is compiled as it would
    /// be without.
    #[inline(always)]
    fn time_between<T>(mark: impl Fn(), work: impl FnOnce() -> T) -> (u64, T) {
        mark();
        let result = work();
        mark();
        // A mark is no part of the work.
        (between_marks::<Self>() - 1, result)
    }
}

/// Asks for a fact that is of no counter.
#[inline(always)]
pub fn ask<G: Guest>(fact: Fact) -> u64 {
    G::call(Call::Truth, fact as u64, 0)
}

/// The instructions between the last two marks. It is called, so that nothing of it comes before the second.
#[inline(never)]
fn between_marks<G: Guest>() -> u64 {
    ask::<G>(Fact::Stopwatch)
}
