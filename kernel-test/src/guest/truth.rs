//! What really happened, as only the host can know.

use pmu::CounterSet;

use super::call;
use crate::hypercall::{Call, Fact};

/// The instructions that the guest had retired before this very question, which is the next.
#[inline(always)]
pub fn retired() -> u64 {
    call(Call::Truth, Fact::Retired as u64, 0)
}

/// How often an overflow pulled the unit's wire.
pub fn overflows() -> u64 {
    call(Call::Truth, Fact::Overflows as u64, 0)
}

/// How many of those met a masked entry of the local APIC.
pub fn masked_overflows() -> u64 {
    call(Call::Truth, Fact::Masked as u64, 0)
}

/// How many NMIs were delivered.
pub fn interrupts() -> u64 {
    call(Call::Truth, Fact::Interrupts as u64, 0)
}

/// How many instructions retired between the last overflow and its NMI.
pub fn skid() -> u64 {
    call(Call::Truth, Fact::Skid as u64, 0)
}

/// The counters that run and select what the host does not observe.
pub fn unfed() -> CounterSet {
    CounterSet::from_bits(call(Call::Truth, Fact::Unfed as u64, 0))
}
