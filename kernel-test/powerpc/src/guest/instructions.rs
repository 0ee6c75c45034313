//! Loops of a known length, each one block of assembly: the compiler can put nothing in between.

use core::arch::asm;

/// The fewest instructions that [`exactly`] can be asked for.
pub const FEWEST: u64 = 2;

/// Retires exactly `count` instructions, at least [`FEWEST`]: one, and a branch to itself. Such a loop
/// is what QEMU's own unit counts exactly too.
#[inline(always)]
pub fn exactly(count: u64) {
    assert!(count >= FEWEST, "a loop of {count} instructions cannot be made");
    // SAFETY: this touches one register.
    unsafe {
        asm!(
            "mtctr {rest}",
            "2: bdnz 2b",
            rest = in(reg) (count - 1) as usize,
            out("ctr") _,
            options(nomem, nostack)
        );
    }
}
