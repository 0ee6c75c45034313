//! What really happened, as only the host can know.

use pmu::{CounterId, CounterSet};

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

/// How many instructions retired while this counter was on, by the host's own book: what it should
/// have counted, whatever was written to it meanwhile.
#[inline(always)]
pub fn counted(counter: CounterId) -> u64 {
    call(Call::Truth, Fact::Counted as u64, counter.number().into())
}

/// A number that stays the same as long as the unit's registers and the APIC's entry do.
pub fn fingerprint() -> u64 {
    call(Call::Truth, Fact::Fingerprint as u64, 0)
}

/// Does the host look at each instruction?
pub fn is_observed() -> bool {
    call(Call::Truth, Fact::Observed as u64, 0) == 1
}
