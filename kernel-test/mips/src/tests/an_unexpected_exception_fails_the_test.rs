//! A kernel that traps has failed, and the next test runs.

use core::arch::asm;

pub fn test() {
    // SAFETY: the host outlives the exception that follows.
    unsafe { asm!("teq $0, $0") };
}
