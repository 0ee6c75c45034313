//! What the processor says of itself, and what it does while it waits.

use metal::get;

/// The exception level that runs this: 1 or 2, in the kernel.
#[inline(always)]
pub fn level() -> u64 {
    get!("CurrentEL") >> 2 & 0b11
}

/// Can a kernel at EL2 have user programs below it (ID_AA64MMFR1_EL1.VH)?
pub fn has_vhe() -> bool {
    get!("id_aa64mmfr1_el1") >> 8 & 0xf != 0
}

/// The CPU that runs this: its number in the first affinity field, as QEMU's "virt" numbers them.
#[inline(always)]
pub fn cpu() -> usize {
    (get!("mpidr_el1") & 0xff) as usize
}

/// Lets the other CPUs run. QEMU runs one after the other under its instruction clock, and each for millions of
/// instructions: who waits for another one says so.
#[inline(always)]
pub fn let_others_run() {
    // SAFETY: it is a hint, and changes nothing.
    unsafe { core::arch::asm!("yield", options(nostack)) };
}

/// Who spins lets the others run.
#[derive(Debug)]
pub struct Yield;

impl spin::RelaxStrategy for Yield {
    fn relax() {
        let_others_run();
    }
}

/// Does something with interrupts masked.
pub fn without_interrupts<T>(passage: impl FnOnce() -> T) -> T {
    // SAFETY: it masks interrupts for as long as the passage lasts, which counts on none.
    unsafe { core::arch::asm!("msr daifset, #2", options(nostack)) };
    let result = passage();
    // SAFETY: they were let through before.
    unsafe { core::arch::asm!("msr daifclr, #2", options(nostack)) };
    result
}
