//! What really happened, as only the model's host can know.

use pmu::CounterId;

use super::call;
use crate::hypercall::{Call, Fact};

/// The instructions that the kernel had retired before this very question, which is the next.
#[inline(always)]
pub fn retired() -> u64 {
    call(Call::Truth, Fact::Retired as u64, 0)
}

/// How often the unit's line rose.
pub fn overflows() -> u64 {
    call(Call::Truth, Fact::Overflows as u64, 0)
}

/// How many interrupts were acknowledged.
pub fn interrupts() -> u64 {
    call(Call::Truth, Fact::Interrupts as u64, 0)
}

/// How many instructions retired while this counter was on, by the host's own book: what it should
/// have counted, whatever was written to it meanwhile.
#[inline(always)]
pub fn counted(counter: CounterId) -> u64 {
    call(Call::Truth, Fact::Counted as u64, counter.number().into())
}
