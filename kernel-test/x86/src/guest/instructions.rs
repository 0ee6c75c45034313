//! Loops of a known length, each one block of assembly: the compiler can put nothing in between.

use core::arch::asm;

/// The fewest instructions that [`exactly`] can be asked for.
pub const FEWEST: u64 = 4;

/// Retires exactly `count` instructions, at least [`FEWEST`].
#[inline(always)]
pub fn exactly(count: u64) {
    assert!(count >= FEWEST, "a loop of {count} instructions cannot be made");
    // SAFETY: this touches one register and the flags.
    unsafe {
        asm!(
            "shr {rest}",       // two of these instructions are not in the loop:
            "jnc 2f",           // what is left is odd,
            "nop",              // or even
            "2:",
            "dec {rest}",
            "jnz 2b",
            rest = inout(reg) count - 2 => _,
            options(nomem, nostack)
        );
    }
}
