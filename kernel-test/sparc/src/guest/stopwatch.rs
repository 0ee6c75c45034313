//! How many instructions does a piece of code retire?
//!
//! `ta 1` makes the host read its clock, and uses no register, so that the code in between is compiled as it would be
//! without.

use core::arch::asm;

use super::truth;

/// Runs `work` where it is called, and says how many instructions it retired.
#[inline(always)]
pub fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
    mark();
    let result = work();
    mark();
    // The first mark is no part of the work.
    (truth::between_marks() - 1, result)
}

#[inline(always)]
fn mark() {
    // SAFETY: the host goes on behind it, with everything as it was.
    unsafe { asm!("ta 1", options(nostack, preserves_flags)) };
}
