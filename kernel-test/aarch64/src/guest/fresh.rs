//! The machine's unit as after a reset, before each test: nothing that one leaves behind is there for the
//! next.

use metal::{get, put};

use super::threads;
use crate::gic;
use crate::system::cpu;

/// PMCR_EL0.P and C: sets all counters to zero; E is clear.
const ZERO: u64 = 0b110;
const ALL: u64 = 0xffff_ffff;

/// Resets it; on the CPU that runs this, at EL2.
pub fn reset() {
    put!("pmcr_el0", ZERO);
    put!("pmcntenclr_el0", ALL);
    put!("pmintenclr_el1", ALL);
    put!("pmovsclr_el0", ALL);
    put!("pmuserenr_el0", 0);
    put!("pmccfiltr_el0", 0);
    for counter in 0..get!("pmcr_el0") >> 11 & 0x1f {
        put!("pmselr_el0", counter);
        put!("pmxevtyper_el0", 0);
    }
    put!("pmselr_el0", 0);
    gic::forget(cpu());
    threads::forget();
}
