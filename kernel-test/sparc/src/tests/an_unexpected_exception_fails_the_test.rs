//! A kernel that executes what is no instruction has failed, and the next test runs.

use core::arch::asm;

pub fn test() {
    // SAFETY: the host outlives the trap that follows.
    unsafe { asm!("illtrap 0") };
}
