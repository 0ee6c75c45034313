//! What really happened, as only the host can know.

use pmu::{CounterId, CounterSet};

use crate::hypercall::{Call, Fact, call};

/// The instructions that the guest had retired before this very question, which is the next.
#[inline(always)]
pub fn retired() -> u64 {
    call(Call::Truth, Fact::Retired as u64, 0)
}

/// How often the unit has interrupted.
pub fn overflows() -> u64 {
    call(Call::Truth, Fact::Overflows as u64, 0)
}

/// How many interrupts of level 15 were taken.
pub fn interrupts() -> u64 {
    call(Call::Truth, Fact::Interrupts as u64, 0)
}

/// The counters that run and select what the host does not observe.
pub fn unfed() -> CounterSet {
    CounterSet::from_bits(call(Call::Truth, Fact::Unfed as u64, 0))
}

/// How many instructions retired while this counter was on, by the host's own book: what it should have counted, whatever
/// was written to it meanwhile.
#[inline(always)]
pub fn counted(counter: CounterId) -> u64 {
    call(Call::Truth, Fact::Counted as u64, counter.number().into())
}

/// The instructions between the last two marks. It is called, so that nothing of it comes before the second.
#[inline(never)]
pub fn between_marks() -> u64 {
    call(Call::Truth, Fact::Stopwatch as u64, 0)
}
