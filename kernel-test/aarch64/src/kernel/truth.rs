//! What really happened, as only the model's host can know.

use pmu::CounterId;

use super::call;
use crate::hypercall::{Call, Fact};
use crate::system::{read, write};

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

/// The cycle counter, which advances by one an instruction; it runs from now on.
#[inline(always)]
pub fn cycles() -> u64 {
    /// PMCCFILTR_EL0.NSH: at EL2 too.
    const EVERYWHERE: u64 = 1 << 27;
    /// PMCR_EL0.E and LC.
    const RUNS: u64 = 1 | 1 << 6;
    write!("pmccfiltr_el0", EVERYWHERE);
    write!("pmcntenset_el0", 1 << 31);
    write!("pmcr_el0", RUNS);
    read!("pmccntr_el0")
}
