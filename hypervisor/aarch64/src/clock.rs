//! How many instructions the guest has retired, in each mode, by the counters of the machine's own unit; and when the host
//! leaves the guest, because a counter of the guest's is to overflow.
//!
//! Three counters are used. Two event counters count cycles, at EL1 and at EL0 alone. An instruction takes a cycle in QEMU. The
//! cycle counter is preset, and interrupts. None of them counts at EL2, so nothing needs to be subtracted.

use metal::{get, put};

/// PMCR_EL0: all counters are enabled (E), and the cycle counter overflows from 64 bits (LC).
const ENABLE: u64 = 1 << 0 | 1 << 6;
/// The event CPU_CYCLES.
const CYCLES: u64 = 0x11;
/// Flags that keep a counter from a level (PMEVTYPER0_EL0.P and U): EL1, EL0.
const NOT_KERNEL: u64 = 1 << 31;
const NOT_USER: u64 = 1 << 30;
/// Bits of counters: the cycle counter, and all that are used.
const DEADLINE: u64 = 1 << 31;
const USED: u64 = DEADLINE | 0b11;
/// An event counter has 32 bits, or more.
const COUNTER: u64 = 0xffff_ffff;
/// PMUSERENR_EL0.EN: what EL0 accesses comes to the host. With ER or CR, QEMU would let EL0 read counters without asking
/// MDCR_EL2.TPM (10.0, target/arm/helper.c: `pmreg_access_xevcntr`, `pmreg_access_ccntr`).
const TO_THE_HOST: u64 = 1 << 0;

/// How many instructions take more than a century.
const NEVER: u64 = 1 << 62;

/// Starts it.
pub fn open() {
    put!("pmevtyper0_el0", CYCLES | NOT_USER);
    put!("pmevtyper1_el0", CYCLES | NOT_KERNEL);
    put!("pmintenset_el1", DEADLINE);
    put!("pmuserenr_el0", TO_THE_HOST);
    put!("pmcntenset_el0", USED);
    put!("pmcr_el0", ENABLE);
}

/// Counts from 0, and leaves the guest after so many instructions of its kernel, or of user programs, whichever is first. `None`
/// is never.
pub fn start(kernel: Option<u64>, user: Option<u64>) {
    let without = |mode: Option<u64>, filter| if mode.is_none() { filter } else { 0 };
    let left = kernel.into_iter().chain(user).min().unwrap_or(NEVER).min(NEVER);
    put!("pmevcntr0_el0", 0);
    put!("pmevcntr1_el0", 0);
    put!("pmccfiltr_el0", without(kernel, NOT_KERNEL) | without(user, NOT_USER));
    put!("pmccntr_el0", left.wrapping_neg());
    put!("pmovsclr_el0", USED);
}

/// Returns how many instructions the guest has retired since [`start`], in its kernel and in user programs.
pub fn retired() -> [u64; 2] {
    [get!("pmevcntr0_el0") & COUNTER, get!("pmevcntr1_el0") & COUNTER]
}
