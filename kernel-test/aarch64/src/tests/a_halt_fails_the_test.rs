//! A kernel that waits for an interrupt that never comes has failed, and the next test runs.

use core::arch::asm;

pub fn test() {
    // SAFETY: it changes nothing.
    unsafe { asm!("wfi") };
}
