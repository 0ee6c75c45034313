//! The machine's unit as after a reset, before each test: nothing that one leaves behind is there for the
//! next.

use super::threads;
use crate::gic;
use crate::system::{cpu, read, write};

/// PMCR_EL0.P and C: sets all counters to zero; E is clear.
const ZERO: u64 = 0b110;
const ALL: u64 = 0xffff_ffff;

/// Resets it; on the CPU that runs this, at EL2.
pub fn reset() {
    write!("pmcr_el0", ZERO);
    write!("pmcntenclr_el0", ALL);
    write!("pmintenclr_el1", ALL);
    write!("pmovsclr_el0", ALL);
    write!("pmuserenr_el0", 0);
    write!("pmccfiltr_el0", 0);
    for counter in 0..read!("pmcr_el0") >> 11 & 0x1f {
        write!("pmselr_el0", counter);
        write!("pmxevtyper_el0", 0);
    }
    write!("pmselr_el0", 0);
    gic::forget(cpu());
    threads::forget();
}
