//! What only the host knows, and what the guest does not do to itself: interrupts that no counter asked for, such as are
//! late.

use core::arch::asm;

use pmu::virt::Kind;
use pmu::{CounterId, CounterSet};

use crate::hypercall::{Call, Fact, MODELLED, call};

/// The instructions that the guest had retired before this very question, which is the next.
#[inline(always)]
pub fn retired() -> u64 {
    call(Call::Truth, Fact::Retired as usize, 0) as u64
}

/// How often a counter has overflowed while that interrupts.
pub fn overflows() -> u64 {
    call(Call::Truth, Fact::Overflows as usize, 0) as u64
}

/// How many of the unit's interrupts were taken.
pub fn interrupts() -> u64 {
    call(Call::Truth, Fact::Interrupts as usize, 0) as u64
}

/// The counters that run and select what the host does not observe.
pub fn unfed() -> CounterSet {
    CounterSet::from_bits(call(Call::Truth, Fact::Unfed as usize, 0) as u64)
}

/// How many instructions retired while this counter was on, by the host's own book: what it should
/// have counted, whatever was written to it meanwhile.
#[inline(always)]
pub fn counted(counter: CounterId) -> u64 {
    call(Call::Truth, Fact::Counted as usize, counter.number().into()) as u64
}

/// Raises the unit's interrupt when `instructions` more have retired after this call's own.
#[inline(always)]
pub fn interrupt_after(instructions: u64) {
    call(Call::InterruptAfter, instructions as usize, 0);
}

/// Keeps the unit's interrupts back until `instructions` more have retired after this call's own.
#[inline(always)]
pub fn hold_interrupts(instructions: u64) {
    call(Call::HoldInterrupts, instructions as usize, 0);
}

/// Tells the unit of events that the guest models.
pub fn happen(kind: Kind, number: u64) {
    let place = MODELLED.iter().position(|&known| known == kind).expect("it is one that may be modelled");
    call(Call::Happen, place, number as usize);
}

/// Runs `work` where it is called, and says how many instructions it retired. `break` makes the host read its clock, and
/// uses no register, so that the code in between is compiled as it would be without.
#[inline(always)]
pub fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
    mark();
    let result = work();
    mark();
    // The second mark is no part of the work.
    (between_marks() - 1, result)
}

#[inline(always)]
fn mark() {
    // SAFETY: the host goes on behind it, with everything as it was.
    unsafe { asm!("break", options(nostack, preserves_flags)) };
}

/// The instructions between the last two marks. It is called, so that nothing of it comes before the second.
#[inline(never)]
fn between_marks() -> u64 {
    call(Call::Truth, Fact::Stopwatch as usize, 0) as u64
}
