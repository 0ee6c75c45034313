//! A kernel that traps has failed, and the next test runs.

use core::arch::asm;

pub fn test() {
    // SAFETY: the host outlives the exception that follows: no instruction is like this.
    unsafe { asm!(".word 0xffffffff") };
}
